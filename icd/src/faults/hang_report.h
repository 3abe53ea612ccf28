// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Says of a kernel that waits in vain where it does, on stderr and in the context's callback.
#pragma once

#include "scheduler/scheduler.h"

namespace lanecl::icd {

// Before the first launch: what else belongs to a work-group while it is suspended.
void keepOfSuspendedGroups(decltype(scheduler::Waiting::makeRecord) make);

// For launches of kernels whose sub-groups wait for others in loops.
const scheduler::Waiting &waitingLaunches();

} // namespace lanecl::icd
