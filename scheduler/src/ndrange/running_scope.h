// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Notes the work-groups that a thread runs, for the scope of the call.
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
  const RunningGroups *const before; // of a call that this thread has interrupted
};

} // namespace lanecl::scheduler
