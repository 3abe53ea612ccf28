// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The clock of the scheduler.

#include "scheduler/scheduler.h"

#include <chrono>

namespace lanecl::scheduler {

uint64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // namespace lanecl::scheduler
