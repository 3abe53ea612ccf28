// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A benchmark in few lines: arrays, the launches that work on them, and what they must have computed. One plan serves
// every contestant; a reference in C++ works on the same arrays.
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

// One of a plan's arrays; they are numbered in the order of their declaration.
struct Array {
  size_t index;
};

struct LocalBytes {
  size_t count;
};

// A number by its bytes.
struct Number {
  std::array<std::byte, sizeof(cl_double)> bytes;
  size_t size;
};

struct Argument : std::variant<Array, LocalBytes, Number> {
  Argument(Array array) : variant(array) {}
  Argument(LocalBytes local) : variant(local) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Argument(T value) : variant(Number{{}, sizeof(T)}) {
    std::memcpy(std::get<Number>(*this).bytes.data(), &value, sizeof value);
  }
};

// The pixels of an image are an array, row by row without padding.
struct ImageShape {
  cl::ImageFormat format;
  size_t width, height;
};

class Plan {
public:
  template <typename T> Array input(const std::vector<T> &values) { return declare(values, false, {}); }
  template <typename T> Array input(const std::vector<T> &pixels, const ImageShape &shape) {
    return declare(pixels, false, shape);
  }
  // Zeros before the first run.
  template <typename T> Array output(size_t count) { return declare(std::vector<T>(count), true, {}); }
  template <typename T> Array output(size_t count, const ImageShape &shape) {
    return declare(std::vector<T>(count), true, shape);
  }

  // The program is the benchmark's own kernel file `file`.
  void program(std::string file, std::string options = "");
  // A run does these steps in the order of the calls.
  void launch(std::string kernel, std::vector<Argument> arguments, const cl::NDRange &global, const cl::NDRange &local);
  void zero(Array array);
  void copy(Array from, Array to);

  // `check` throws Mismatch unless the array is right after a run.
  template <typename T> void check(Array array, std::function<void(std::span<const T>)> check) {
    checks.push_back({array, [check = std::move(check)](std::span<const std::byte> bytes) {
                        check({reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)});
                      }});
  }
  // Each element differs from the expected one by at most `tolerance` times the larger of that one and 1.
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

// The arrays in the host's memory, by their numbers. What is written keeps its contents from run to run.
class HostArrays {
public:
  explicit HostArrays(const Plan &plan);
  template <typename T> const T *in(size_t array) const { return reinterpret_cast<const T *>(places[array]); }
  template <typename T> T *out(size_t array) {
    return reinterpret_cast<T *>(written[array].data()); // only those declared as output
  }

private:
  std::vector<std::vector<std::byte>> written;
  std::vector<const std::byte *> places;
};

struct Workload {
  std::string name, description;
  double amount = 0; // as in Benchmark, for one run
  std::string unit;
  std::function<void(Plan &)> plan;
  std::function<void(HostArrays &)> native = {}; // the same result in the same arrays
  std::vector<std::string> needs = {};
};

Benchmark benchmarkOf(Workload workload);

} // namespace bench
