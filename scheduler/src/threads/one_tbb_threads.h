// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of oneTBB, which the whole process shares.
#pragma once

#include <functional>

namespace lanecl::scheduler {

// Runs `visit` when oneTBB has a thread to spare; on an own thread when the process exits. oneTBB gets room for `most`
// threads, of which it counts one as the program's own. Does not block; throws when there is no memory, or no thread.
void runOnOneTbbThread(unsigned most, std::function<void()> visit);
bool anyVisitWaits(); // for a thread

bool onOneTbbThread(); // the calling thread is one of these

} // namespace lanecl::scheduler
