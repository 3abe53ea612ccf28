// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Divides work on large memory into chunks that several threads process at the same time.
#pragma once

#include "scheduler/scheduler.h"

#include <functional>

namespace lanecl::icd {

// The least number of bytes that is worth chunks; one thread processes smaller amounts.
inline constexpr size_t kWorthChunks = size_t(4) << 20;

// Returns a launch that calls run(begin, end) for byte ranges that cover [0, bytes) and do not overlap. Ranges start at
// multiples of 4096. `run` is called by several threads at the same time.
scheduler::Launch inChunks(size_t bytes, std::function<void(size_t begin, size_t end)> run);

} // namespace lanecl::icd
