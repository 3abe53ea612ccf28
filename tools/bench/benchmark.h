// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A benchmark is a computation that every platform can do. Its plan describes it: arrays, the launches that work on
// them, and the results that they must compute. One plan serves every platform, and a reference in C++ works on the
// same arrays.
#pragma once

#include "device.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace bench {

// The error that a wrong result is reported with.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

// The arrays, steps and checks of a benchmark. The functions record; nothing runs until a contestant uses the plan.
class Plan {
public:
  // `input` declares an array that kernels read, `output` one of zeros that they write, `inout` one that keeps what
  // they write from one run to the next.
  template <typename T> Array input(const std::vector<T> &values) { return declare(values, false, {}); }
  template <typename T> Array input(const std::vector<T> &values, const ImageShape &shape) {
    return declare(values, false, shape);
  }
  template <typename T> Array inout(const std::vector<T> &values) { return declare(values, true, {}); }
  template <typename T> Array output(size_t count) { return declare(std::vector<T>(count), true, {}); }
  template <typename T> Array output(size_t count, const ImageShape &shape) {
    return declare(std::vector<T>(count), true, shape);
  }

  struct Launch {
    std::string kernel;
    std::vector<Argument> arguments;
    cl::NDRange global, local;
    size_t times = 1;     // how often the kernel is launched
    bool waits = false;   // whether the host waits for each launch
    bool shifted = false; // whether the global ids of each launch begin where those of the last one end
  };
  struct Zero {
    Array array;
  };
  struct Copy {
    Array from, to;
  };

  // Names the file of the program: one of the benchmarks' own kernel files, or EXAMPLE/FILE.
  void program(std::string kernel_file, std::string build_options = "") {
    file = std::move(kernel_file);
    options = std::move(build_options);
  }
  // A run performs these steps in the order of the calls that recorded them.
  Launch &launch(std::string kernel, std::vector<Argument> arguments, const cl::NDRange &global,
                 const cl::NDRange &local) {
    return std::get<Launch>(steps.emplace_back(Launch{std::move(kernel), std::move(arguments), global, local}));
  }
  void zero(Array array) { steps.emplace_back(Zero{array}); }
  void copy(Array from, Array to) { steps.emplace_back(Copy{from, to}); }

  // After a run, `check` is called with the array. It throws Mismatch when the array is wrong.
  template <typename T> void check(Array array, std::function<void(std::span<const T>)> check) {
    checks.push_back({array, [check = std::move(check)](std::span<const std::byte> bytes) {
                        check({reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)});
                      }});
  }
  // Expects each element to differ from the expected value by at most `tolerance` times max(1, |expected value|).
  template <typename T> void expect(Array array, std::vector<T> expected, double tolerance = 0) {
    check<T>(array, [expected = std::move(expected), tolerance](std::span<const T> got) {
      for (size_t i = 0; i < expected.size(); ++i)
        expectNear(i, double(got[i]), double(expected[i]), tolerance * std::max(1.0, std::abs(double(expected[i]))));
    });
  }
  // Throws Mismatch unless an element differs from the wanted value by at most `tolerance`.
  static void expectNear(size_t index, double got, double want, double tolerance) {
    if (!(std::abs(got - want) <= tolerance))
      throw Mismatch("element " + std::to_string(index) + " is " + std::to_string(got) + " instead of " +
                     std::to_string(want));
  }

  struct Storage {
    std::vector<std::byte> initial;
    bool is_written;
    std::optional<ImageShape> image;
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

using PlanPointer = std::shared_ptr<const Plan>;

// The arrays in the host's memory, for the reference in C++. Outputs keep their contents from one run to the next.
class HostArrays {
public:
  explicit HostArrays(const Plan &plan);
  // Returns the first element of an array, or a number as it is.
  template <typename T> T argument(Array array) const {
    return reinterpret_cast<T>(const_cast<std::byte *>(places[array.index]));
  }
  template <typename T> T argument(T number) const { return number; }

  std::span<const std::byte> bytes(Array array) const { return {places[array.index], sizes[array.index]}; }

private:
  std::vector<std::vector<std::byte>> written;
  std::vector<const std::byte *> places;
  std::vector<size_t> sizes;
};

using Reference = std::function<void(HostArrays &)>;

// Returns a reference that calls a function with these arguments: arrays of the plan, and numbers.
template <typename... Parameters, typename... Arguments>
Reference reference(void (*function)(Parameters...), Arguments... arguments) {
  return [=](HostArrays &arrays) { function(arrays.argument<Parameters>(arguments)...); };
}

// The work of one benchmark, set up for one platform or for the reference in C++.
class Case {
public:
  virtual ~Case() = default;
  virtual void run() = 0;    // does the work once and returns when it is complete
  virtual void verify() = 0; // throws Mismatch unless the result of the last run is right
};

// A plan on one device: each array is a buffer or an image, and each launch has its kernel with the arguments set.
class OnDevice : public Case {
public:
  OnDevice(Device device, PlanPointer plan, bool is_built = true);
  // Builds the program. `prefix` comes before the text of its file.
  void build(const std::string &prefix = "");
  void run() override;
  void verify() override;

private:
  cl::Kernel kernelOf(const cl::Program &program, const Plan::Launch &launch) const;
  void enqueue(const cl::Kernel &kernel, const Plan::Launch &launch) const;
  cl::Buffer buffer(Array array) const { return cl::Buffer(memories[array.index](), true); }
  size_t size(Array array) const { return plan->arrays[array.index].initial.size(); }

  const Device device;
  const PlanPointer plan;
  std::vector<cl::Memory> memories;
  std::vector<cl::Kernel> kernels; // one for each launch of the plan, in order
};

// A line of the table: what is computed, and how it is set up for each contestant.
struct Benchmark {
  std::string name, description;
  double operations = 1; // how many operations one run does; the table shows the time of one
  double amount = 0;     // units that one operation handles; the rate is amount / time
  std::string unit = {}; // "GFLOP", "GB", …; empty: the table shows no rate
  std::function<void(Plan &)> plan = {};
  Reference native = {}; // computes the same results in the same arrays; empty: there is no reference in C++
  // features that the device must have: extensions, kImages, or kSubDeviceOf and a number
  std::vector<std::string> needs = {};
  // how a device does the work if it is not simply that of the plan
  std::function<std::unique_ptr<Case>(const Device &, const PlanPointer &)> on_device = {};
  std::string group = {}; // the ratios of a group have a common geometric mean; set by allBenchmarks()
};

using Benchmarks = std::vector<Benchmark>;

// Device::has() takes these names of features besides those of extensions.
inline constexpr const char *kImages = "images";
// followed by the compute units that a sub-device must be able to have
inline const std::string kSubDeviceOf = "compute units:";

// The extensions for kernels that use Intel's sub-group functions and require a sub-group size.
inline const std::vector<std::string> kSubGroups{"cl_intel_subgroups", "cl_intel_required_subgroup_size"};

// Returns every benchmark in the order of the table. Benchmarks of one group are adjacent.
Benchmarks allBenchmarks();

} // namespace bench
