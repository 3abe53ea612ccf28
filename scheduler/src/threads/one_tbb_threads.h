// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of oneTBB, which all of the process shares.
#pragma once

#include <functional>

namespace lanecl::scheduler {

// Runs `visit` when oneTBB has a thread to spare, or on an own thread when the process exits. oneTBB gets room for
// `most` threads, one of which it counts as the program's own. Does not block. Throws when there is no memory or no
// thread.
void runOnOneTbbThread(unsigned most, std::function<void()> visit);
bool anyVisitWaits(); // whether a visit waits for a thread

bool onOneTbbThread(); // whether the calling thread belongs to oneTBB

} // namespace lanecl::scheduler
