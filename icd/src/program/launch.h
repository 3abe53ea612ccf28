// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns the application's sizes and arguments into a scheduler launch.
#pragma once

#include "program/kernel.h"
#include "program/local_size.h"

namespace lanecl::icd {

// The application's arguments.
struct LaunchRequest {
  cl_uint dimensions;
  const size_t *offset, *global, *local;
};

struct Grid {
  Size3 offset{0, 0, 0}, global{1, 1, 1}, local{1, 1, 1}, groups{1, 1, 1};
  bool has_edges = false;
  bool is_open = false; // the application left the local size to the device
  void makeGroups();    // sets `groups` and `has_edges` from the sizes
  bool isEmpty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
  GlobalIds ids() const {
    GlobalIds ids;
    for (int d = 0; d < 3; ++d) {
      ids.fit_int &= offset[d] + global[d] < uint64_t(1) << 31;
      ids.from_zero &= offset[d] == 0;
    }
    return ids;
  }
};

// CL_INVALID_KERNEL_ARGS if any kernel arguments have not been set.
cl_int checkArguments(const Kernel &kernel);

// Checks the request and chooses the local size where it leaves it open. `grid` is complete even when the only error is
// that its work-groups are not uniform.
cl_int makeGrid(const KernelBuild &kernel, unsigned threads, const LaunchRequest &request, Grid &grid);

// With the arguments that the kernel has now, for the device of the build. The grid is not empty. `width`: of
// sub-groups, for a further run of a launch; 0: by the rule.
cl_int makeLaunch(Kernel &kernel, const KernelBuild &build, Grid grid, cl_uint dimensions, LaunchUse use,
                  scheduler::Launch &launch, unsigned width = 0);

} // namespace lanecl::icd
