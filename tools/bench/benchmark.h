// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A benchmark: a computation that any platform can do, some also in C++ as the reference.
#pragma once

#include "device.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// The work of one benchmark, set up on one platform or in C++.
class Case {
public:
  virtual ~Case() = default;
  virtual void run() = 0;    // does the work once and returns when it is done
  virtual void verify() = 0; // throws Mismatch unless the last run's result is right
};

struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Benchmark {
  std::string name;
  std::string description;
  double operations = 1; // of one run; times are for one operation
  double amount = 0;     // of `unit`, for one operation: its rate is amount / time
  std::string unit;      // "GFLOP", "GB", …; empty: no rate is shown
  std::function<std::unique_ptr<Case>(const Device &)> on_device;
  std::function<std::unique_ptr<Case>()> native; // empty: there is no reference in C++
  std::vector<std::string> needs = {};           // of a device: extensions, kImages, or kSubDeviceOf and a number
  std::string group = {};                        // benchmarks whose ratios have a mean in common; set by the registry
};

inline constexpr const char *kImages = "images";
inline const std::string kSubDeviceOf = "compute units:"; // that it can make a sub-device of so many

// Intel's sub-group functions with a size that the kernel requires.
inline const std::vector<std::string> kSubGroups{"cl_intel_subgroups", "cl_intel_required_subgroup_size"};

// Every benchmark, in the order of the table, those of a group together.
std::vector<Benchmark> allBenchmarks();

} // namespace bench
