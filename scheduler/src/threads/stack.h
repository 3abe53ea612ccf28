// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much of its stack a thread has left. Generated code may keep large private arrays on the stack.
#pragma once

#include <cstdint>

namespace lanecl::scheduler {

inline constexpr uint64_t kLeastStackBytes = 64 * 1024;   // every launch may use this much
inline constexpr uint64_t kStackReserveBytes = 32 * 1024; // for the calls around and below a launch

// Returns how many bytes of stack generated code may use on this thread. Returns 0 on a stack that is not the thread's
// own, such as a coroutine's.
uint64_t stackLeft();

} // namespace lanecl::scheduler
