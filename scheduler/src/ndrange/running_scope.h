// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records which work-groups a thread runs, for the scope of a call.
#pragma once

#include "scheduler/running_groups.h"

namespace lanecl::scheduler {

class RunningScope {
public:
  explicit RunningScope(const RunningGroups &groups);
  ~RunningScope();
  RunningScope(const RunningScope &) = delete;
  RunningScope &operator=(const RunningScope &) = delete;

private:
  const RunningGroups *const before; // what this thread ran before: a call inside of which this one happens, or null
};

} // namespace lanecl::scheduler
