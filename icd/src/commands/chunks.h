// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work on large memory, divided into chunks that several threads process at the same time.
#pragma once

#include "scheduler/scheduler.h"

#include <functional>

namespace lanecl::icd {

// Smaller amounts are processed by one thread.
inline constexpr size_t kWorthChunks = size_t(4) << 20;

// A launch that calls run(begin, end) for parts of [0, bytes) that do not overlap. They begin at multiples of 4096.
scheduler::Launch inChunks(size_t bytes, std::function<void(size_t begin, size_t end)> run);

} // namespace lanecl::icd
