// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Describes a benchmark in a few lines: its arrays, the launches that work on them, and the results that they must
// compute. One plan serves every platform, and a reference in C++ works on the same arrays.
#pragma once

#include "benchmark.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>

namespace bench {

// One of a plan's arrays. Arrays are numbered in the order of their declaration.
struct Array {
  size_t index;
};

// An argument that is local memory of so many bytes.
struct LocalBytes {
  size_t count;
};

// An argument that is a number, stored as its bytes.
struct Number {
  std::array<std::byte, sizeof(cl_double)> bytes;
  size_t size;
};

// A kernel argument of any of these kinds.
struct Argument : std::variant<Array, LocalBytes, Number> {
  Argument(Array array) : variant(array) {}
  Argument(LocalBytes local) : variant(local) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Argument(T value) : variant(Number{{}, sizeof(T)}) {
    std::memcpy(std::get<Number>(*this).bytes.data(), &value, sizeof value);
  }
};

// Makes an array an image. The array holds the pixels row by row without padding.
struct ImageShape {
  cl::ImageFormat format;
  size_t width, height;
};

// The arrays, steps and checks of a workload. The functions record; nothing runs until a contestant uses the plan.
class Plan {
public:
  template <typename T> Array input(const std::vector<T> &values) { return declare(values, false, {}); }
  template <typename T> Array input(const std::vector<T> &pixels, const ImageShape &shape) {
    return declare(pixels, false, shape);
  }
  // Output arrays are filled with zeros before the first run.
  template <typename T> Array output(size_t count) { return declare(std::vector<T>(count), true, {}); }
  template <typename T> Array output(size_t count, const ImageShape &shape) {
    return declare(std::vector<T>(count), true, shape);
  }

  // Names the file of the program, which is one of the benchmarks' own kernel files.
  void program(std::string file, std::string options = "");
  // A run performs these steps in the order of the calls that recorded them.
  void launch(std::string kernel, std::vector<Argument> arguments, const cl::NDRange &global, const cl::NDRange &local);
  void zero(Array array);
  void copy(Array from, Array to);

  // After a run, `check` is called with the array. It throws Mismatch when the array is wrong.
  template <typename T> void check(Array array, std::function<void(std::span<const T>)> check) {
    checks.push_back({array, [check = std::move(check)](std::span<const std::byte> bytes) {
                        check({reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)});
                      }});
  }
  // Expects each element to differ from the expected value by at most `tolerance` times max(1, |expected value|).
  template <typename T> void expect(Array array, std::vector<T> expected, double tolerance = 0) {
    check<T>(array, [expected = std::move(expected), tolerance](std::span<const T> got) {
      for (size_t i = 0; i < expected.size(); ++i) {
        const double want = double(expected[i]), is = double(got[i]);
        if (!(std::abs(is - want) <= tolerance * std::max(1.0, std::abs(want))))
          throw Mismatch("element " + std::to_string(i) + " is " + std::to_string(is) + " instead of " +
                         std::to_string(want));
      }
    });
  }

  struct Storage {
    std::vector<std::byte> initial;
    bool is_written;
    std::optional<ImageShape> image;
  };
  struct Launch {
    std::string kernel;
    std::vector<Argument> arguments;
    cl::NDRange global, local;
  };
  struct Zero {
    Array array;
  };
  struct Copy {
    Array from, to;
  };
  struct Check {
    Array array;
    std::function<void(std::span<const std::byte>)> check;
  };

  std::string file, options;
  std::vector<Storage> arrays;
  std::vector<std::variant<Launch, Zero, Copy>> steps;
  std::vector<Check> checks;

private:
  template <typename T>
  Array declare(const std::vector<T> &values, bool is_written, const std::optional<ImageShape> &image) {
    const std::span bytes = std::as_bytes(std::span(values));
    arrays.push_back({{bytes.begin(), bytes.end()}, is_written, image});
    return {arrays.size() - 1};
  }
};

// The arrays in the host's memory, for the reference in C++. Outputs keep their contents from one run to the next.
class HostArrays {
public:
  explicit HostArrays(const Plan &plan);
  template <typename T> const T *in(size_t array) const { return reinterpret_cast<const T *>(places[array]); }
  template <typename T> T *out(size_t array) {
    return reinterpret_cast<T *>(written[array].data()); // only for arrays that were declared as output
  }

private:
  std::vector<std::vector<std::byte>> written;
  std::vector<const std::byte *> places;
};

// A benchmark whose work is described by a plan.
struct Workload {
  std::string name, description;
  double amount = 0; // as Benchmark::amount, for one run
  std::string unit;
  std::function<void(Plan &)> plan;
  // the reference in C++, which computes the same results in the same arrays; empty: none
  std::function<void(HostArrays &)> native = {};
  std::vector<std::string> needs = {};
};

// Turns a workload into a benchmark.
Benchmark benchmarkOf(Workload workload);

} // namespace bench
