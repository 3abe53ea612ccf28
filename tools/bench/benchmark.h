// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A benchmark is a computation that every platform can do. Some benchmarks are also written in C++, as a reference to
// compare with.
#pragma once

#include "device.h"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// The work of one benchmark, set up for one platform or for the reference in C++.
class Case {
public:
  virtual ~Case() = default;
  virtual void run() = 0;    // does the work once and returns when it is complete
  virtual void verify() = 0; // throws Mismatch unless the result of the last run is right
};

// The error that a wrong result is reported with.
struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A line of the table: what is computed, and how it is set up for each contestant.
struct Benchmark {
  std::string name;
  std::string description;
  double operations = 1; // how many operations one run does; the table shows the time of one
  double amount = 0;     // units that one operation handles; the rate is amount / time
  std::string unit;      // "GFLOP", "GB", …; empty: the table shows no rate
  std::function<std::unique_ptr<Case>(const Device &)> on_device;
  std::function<std::unique_ptr<Case>()> native; // empty: there is no reference in C++
  // features that the device must have: extensions, kImages, or kSubDeviceOf and a number
  std::vector<std::string> needs = {};
  // the ratios of a group have a common geometric mean; set by the registry
  std::string group = {};
};

// Device::has() takes these names of features besides those of extensions.
inline constexpr const char *kImages = "images";
// followed by the compute units that a sub-device must be able to have
inline const std::string kSubDeviceOf = "compute units:";

// The extensions for kernels that use Intel's sub-group functions and require a sub-group size.
inline const std::vector<std::string> kSubGroups{"cl_intel_subgroups", "cl_intel_required_subgroup_size"};

// Returns every benchmark in the order of the table. Benchmarks of one group are adjacent.
std::vector<Benchmark> allBenchmarks();

} // namespace bench
