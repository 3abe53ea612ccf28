// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reports a kernel that hangs: all its work-items wait in loops for others. The report names the loop, on stderr and in
// the context's error callback.
#pragma once

#include "scheduler/scheduler.h"

namespace lanecl::icd {

// Sets the function that makes the records of a suspended work-group, which are swapped with the thread's when it is
// resumed. Called before the first launch; check mode keeps its records this way.
void keepOfSuspendedGroups(decltype(scheduler::Suspension::makeRecord) make);

// Returns how the scheduler treats launches of kernels whose sub-groups wait for others in loops.
const scheduler::Suspension &waitingLaunches();

} // namespace lanecl::icd
