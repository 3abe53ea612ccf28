// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much of its stack a thread has left, because generated code may keep large private arrays there.
#pragma once

#include <cstdint>

namespace lanecl::scheduler {

inline constexpr uint64_t kLeastStackBytes = 64 * 1024;   // what any launch may use
inline constexpr uint64_t kStackReserveBytes = 32 * 1024; // for the calls around and below a launch

// Bytes generated code may use on this thread. 0 on a stack that is not the thread's own (a coroutine's, say).
uint64_t stackLeft();

} // namespace lanecl::scheduler
