// Launches that run together, many times: checked and laid out once, and then one command of a queue.
#pragma once

#include "scheduler/scheduler.h"

namespace lanecl::scheduler {

using PreparedLaunchPtr = std::shared_ptr<const PreparedLaunch>;

// Null when the launch is inconsistent.
PreparedLaunchPtr prepare(Launch launch);

// Those of a stage do not depend on each other. A stage begins when the one before it is done.
using BatchStages = std::vector<std::vector<PreparedLaunchPtr>>;

// `replaced`, if not null, had the same stages but for some of their launches: how long they take is known from it.
BatchPtr makeBatch(const BatchStages &stages, const BatchPtr &replaced = nullptr);

} // namespace lanecl::scheduler
