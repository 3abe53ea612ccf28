// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns the sizes and arguments that the application gives to clEnqueueNDRangeKernel into a scheduler::Launch.
#pragma once

#include "program/kernel.h"
#include "program/local_size.h"

#include <cassert>

namespace lanecl::icd {

// The sizes as the application passed them. `offset`, `global` and `local` may be null.
struct LaunchRequest {
  cl_uint dimensions;
  const size_t *offset, *global, *local;
};

// A launch's sizes in work-items, and its number of work-groups. Dimensions that are not used have size 1.
struct Grid {
  Size3 offset{0, 0, 0}, global{1, 1, 1}, local{1, 1, 1}, groups{1, 1, 1};
  bool has_edges = false; // the last work-group of some dimension is smaller than the others
  bool is_open = false;   // the application left the local size to the device
  void makeGroups();      // sets `groups` and `has_edges` from the sizes
  bool isEmpty() const { return global[0] == 0 || global[1] == 0 || global[2] == 0; }
  GlobalIds ids() const {
    GlobalIds ids;
    for (int d = 0; d < 3; ++d) {
      assert(offset[d] <= SIZE_MAX - global[d] && "the ids of the last work-items do not fit");
      ids.fit_int &= offset[d] + global[d] < uint64_t(1) << 31;
      ids.from_zero &= offset[d] == 0;
    }
    return ids;
  }
};

// Returns CL_INVALID_KERNEL_ARGS if any kernel arguments have not been set.
cl_int checkArguments(const Kernel &kernel);

// Checks the sizes of the request and fills `grid`, choosing the local size where the request leaves it open.
//
// Returns the error of the specification for wrong sizes. If the only error is that work-groups would not be uniform,
// `grid` is complete nevertheless.
cl_int makeGrid(const KernelBuild &kernel, unsigned threads, const LaunchRequest &request, Grid &grid);

// Makes the launch of a kernel with the arguments that it has now, for the device of `build`. `grid` must not be empty.
//
// `width` is 0 for an ordinary launch, whose sub-group size follows the rule of vectorizer/contract/width.h. Another
// value is the sub-group size of an additional run that width_comparison.h compares with the ordinary one.
cl_int makeLaunch(Kernel &kernel, const KernelBuild &build, Grid grid, cl_uint dimensions, LaunchUse use,
                  scheduler::Launch &launch, unsigned width = 0);

} // namespace lanecl::icd
