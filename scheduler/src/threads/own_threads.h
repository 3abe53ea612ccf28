// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads of this library's own, for what must not run on a thread of oneTBB.
#pragma once

#include <functional>

namespace lanecl::scheduler {

// Runs `job` soon. Threads belong to the process and there are none until one is needed; one without a job waits some
// seconds for the next and then ends. A job may block, end its thread (pthread_exit) or the process (exit): those that
// wait behind it get another thread. Does not block; throws, and forgets the job, when there is no memory or no thread.
void runOnOwnThread(std::function<void()> job);
bool onOwnThread(); // the calling thread is one of these

} // namespace lanecl::scheduler
