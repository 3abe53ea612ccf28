// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which work-groups a thread runs at this moment, for who has to describe a fault in them.
#pragma once

#include "vectorizer/contract/abi.h"

#include <cstdint>

namespace lanecl::scheduler {

// The arguments of the call that is running, and whose they are.
struct RunningGroups {
  const void *subject; // Launch::subject
  const abi::LaunchInfo *launch;
  const abi::WorkerMemory *memory;
  const uint64_t *local_size; // of these work-groups
  uint64_t x_begin, x_end, y, z;
};

// Of the calling thread; null: none. May be called in a signal handler.
const RunningGroups *runningGroups();

// For a scope the thread runs nothing: a signal handler calls code that may jump out of the work-groups for good.
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
