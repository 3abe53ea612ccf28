// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which kind of thread runs a command.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::scheduler {

// Launches and transfers run on threads of oneTBB. Two kinds of commands run on threads of this library's own: code of
// the host program, which may block, end its thread or end the process, as a thread of oneTBB must not; and launches
// that need more stack than a thread of oneTBB has.
enum class Crew : uint8_t { OneTbb, Own };
inline constexpr size_t kCrews = 2;

// How much stack a launch on a thread of oneTBB may use. Such a thread has 4 MiB of stack unless the program asks for
// another size.
inline constexpr uint64_t kOneTbbStackBytes = uint64_t{3} << 20;

} // namespace lanecl::scheduler
