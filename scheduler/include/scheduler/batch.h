// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A batch is a set of launches that run together many times. It is checked and laid out once; each run of it is one
// command of a queue.
#pragma once

#include "scheduler/scheduler.h"

namespace lanecl::scheduler {

using PreparedLaunchPtr = std::shared_ptr<const PreparedLaunch>;

// Checks a launch and copies its arguments. Returns null when the launch is inconsistent: it lacks an entry point for
// the work-groups it has, or its sizes do not fit together. Throws std::bad_alloc.
PreparedLaunchPtr prepare(Launch launch);

// The stages of a batch, in the order in which they run. The launches of one stage do not depend on each other. A stage
// starts when the one before it is done.
using BatchStages = std::vector<std::vector<PreparedLaunchPtr>>;

// `replaced`, if not null, is an earlier batch whose stages differ only in some launches. The new batch takes over the
// times that were measured for the stages of the old one.
BatchPtr makeBatch(const BatchStages &stages, const BatchPtr &replaced = nullptr);

} // namespace lanecl::scheduler
