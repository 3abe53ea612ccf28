// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How long the threads of this process stood in front of locks that others held.
#pragma once

#include <chrono>

namespace lanecl::test::soak {

std::chrono::nanoseconds timeInLocks();

} // namespace lanecl::test::soak
