// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reveals which work-groups a thread runs at this moment, for the handler that describes a fault inside a kernel.
#pragma once

#include "vectorizer/contract/abi.h"

#include <cstdint>

namespace lanecl::scheduler {

// The arguments of the work-group function's call that is in progress: work-groups [x_begin, x_end) of the row (y, z).
struct RunningGroups {
  const void *facts; // Launch::facts of the launch that the work-groups belong to
  const abi::LaunchInfo *launch;
  const abi::WorkerMemory *memory;
  const uint64_t *local_size; // in work-items, of these work-groups
  uint64_t x_begin, x_end, y, z;
};

// Returns what the calling thread runs, or null when it runs no work-group. May be called in a signal handler.
const RunningGroups *runningGroups();

// For the scope of this object, runningGroups() returns null on the calling thread. A signal handler uses it around
// code that may jump out of the work-groups for good.
class NoRunningGroups {
public:
  NoRunningGroups();
  ~NoRunningGroups();
  NoRunningGroups(const NoRunningGroups &) = delete;
  NoRunningGroups &operator=(const NoRunningGroups &) = delete;

private:
  const RunningGroups *const before;
};

} // namespace lanecl::scheduler
