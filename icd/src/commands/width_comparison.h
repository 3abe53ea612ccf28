// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Check mode's comparison of a launch at all sub-group sizes that its kernel may get.
#pragma once

#include "program/launch.h"

#include <memory>

namespace lanecl::icd {

// The launch runs twice at its own width and once at each other; what it may write is saved before and compared
// afterwards. What it leaves is what the first run has left.
class WidthComparison {
public:
  // Null: the kernel has but one width, what it writes cannot be restored (which is counted), or nobody asked.
  static std::shared_ptr<WidthComparison> plan(Kernel &kernel, const KernelBuild &build, const Grid &grid,
                                               cl_uint dimensions, const scheduler::Launch &own);

  // Instead of the launch. Waits for commands of its own.
  scheduler::Status run(scheduler::Launch own);

private:
  struct Region {
    std::byte *begin;
    size_t bytes;
    std::string name;                   // as "argument 0 'out'"
    std::vector<std::byte> before, own; // contents
  };
  struct Other {
    unsigned width;
    scheduler::Launch launch;
  };

  WidthComparison(Kernel &kernel, const KernelBuild &build, unsigned width)
      : kernel_(kernel), device_(build.device()), width_(width) {}

  bool addRegions(const scheduler::Launch &own, uint64_t variable_bytes);
  bool addRegion(const void *begin, size_t bytes, std::string name);
  scheduler::Status runOnce(scheduler::Launch launch);
  void restore();
  bool hasChanged(std::string &what, unsigned width) const; // from what the first run has left

  Ref<Kernel> kernel_;
  Ref<Device> device_;
  unsigned width_;
  std::vector<Region> regions_;
  std::vector<Other> others_;
  size_t bytes_ = 0; // of the regions
};

} // namespace lanecl::icd
