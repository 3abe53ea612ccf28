// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches that run together, many times: checked and laid out once; each run is one command of a queue.
#pragma once

#include "scheduler/scheduler.h"

namespace lanecl::scheduler {

using PreparedLaunchPtr = std::shared_ptr<const PreparedLaunch>;

// Null when the launch is inconsistent.
PreparedLaunchPtr prepare(Launch launch);

// The launches of a stage do not depend on each other. A stage begins when the one before it is done.
using BatchStages = std::vector<std::vector<PreparedLaunchPtr>>;

// `replaced`, if not null, is a batch whose stages differ only in some launches: its measured times are taken over.
BatchPtr makeBatch(const BatchStages &stages, const BatchPtr &replaced = nullptr);

} // namespace lanecl::scheduler
