// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which threads run a command.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lanecl::scheduler {

// Launches and transfers run on threads of oneTBB. Code of the host program may block, end its thread or the process,
// which such a thread does not survive; and a launch may need more stack than it has: both run on own threads.
enum class Crew : uint8_t { OneTbb, Own };
inline constexpr size_t kCrews = 2;

// What a launch may use of the stack of a oneTBB thread. That has 4 MiB, unless the program says otherwise.
inline constexpr uint64_t kOneTbbStackBytes = uint64_t{3} << 20;

} // namespace lanecl::scheduler
