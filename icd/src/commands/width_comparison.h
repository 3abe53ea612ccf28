// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs a launch at all sub-group sizes that its kernel may get and compares the results, if check mode asks for it.
#pragma once

#include "program/launch.h"

#include <memory>

namespace lanecl::icd {

// The launch runs twice at its own width and once at each other width. The memory that it may write is saved before,
// and restored between the runs. A difference between the two runs at the same width means that the kernel's results
// vary anyway; then the other widths are not compared. Afterwards memory holds what the first run left.
class WidthComparison {
public:
  // Returns null if widths are not compared, if the kernel has but one width, or if what it writes cannot be restored.
  // The last case is counted.
  static std::shared_ptr<WidthComparison> plan(Kernel &kernel, const KernelBuild &build, const Grid &grid,
                                               cl_uint dimensions, const scheduler::Launch &own);

  // Runs the comparison instead of the launch `own`, and returns the status of its first run. Waits for commands of its
  // own, so it must not run on a thread that executes them.
  scheduler::Status run(scheduler::Launch own);

private:
  // Memory that the launch may write.
  struct Region {
    std::byte *begin;
    size_t bytes;
    std::string name;                   // how reports call it, for example "argument 0 'out'"
    std::shared_ptr<const void> owner;  // keeps the memory; null: the launch does
    std::vector<std::byte> before, own; // the contents before the launch, and after its first run
  };
  // The launch at another width.
  struct Other {
    unsigned width;
    scheduler::Launch launch;
  };

  WidthComparison(Kernel &kernel, const KernelBuild &build, unsigned width)
      : kernel_(kernel), device_(build.device()), width_(width) {}

  // Adds the regions that the launch may write. Returns false when they are too large to be saved.
  bool addRegions(const scheduler::Launch &own, uint64_t variable_bytes);
  bool addRegion(const void *begin, size_t bytes, std::string name, std::shared_ptr<const void> owner = nullptr);
  scheduler::Status runOnce(scheduler::Launch launch);
  void restore();
  bool hasChanged(std::string &what, unsigned width) const; // since the first run

  Ref<Kernel> kernel_;
  Ref<Device> device_;
  unsigned width_;
  std::vector<Region> regions_;
  std::vector<Other> others_;
  size_t bytes_ = 0; // of all regions
};

} // namespace lanecl::icd
