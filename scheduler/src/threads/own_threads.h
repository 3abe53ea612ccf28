// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads that this library starts itself, called own threads, for what must not run on a thread of oneTBB.
#pragma once

#include <functional>

namespace lanecl::scheduler {

// Runs `job` soon on an own thread. These threads belong to the process, and there are none until one is needed. A
// thread without a job waits some seconds for the next one and then ends. A job may block, end its thread
// (pthread_exit) or end the process (exit); jobs that wait after it get another thread. Does not block. Throws, and
// forgets the job, when there is no memory or no thread.
void runOnOwnThread(std::function<void()> job);
bool onOwnThread(); // whether the calling thread is an own thread

} // namespace lanecl::scheduler
