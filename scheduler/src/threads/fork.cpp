// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/fork.h"

#include <atomic>
#include <cstdio>
#include <pthread.h>

namespace lanecl::scheduler {

namespace {
std::atomic<uint64_t> generation{0};
std::atomic<uint64_t> warned{0};

// When the library is loaded, not when it begins to work: a fork that has begun to call handlers does not call one that
// is registered meanwhile, and it can take long, because it waits for compilations.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); });
} // namespace

uint64_t forkGeneration() {
  return generation.load(std::memory_order_relaxed);
}

void warnLostByFork() {
  if (warned.exchange(forkGeneration()) == forkGeneration())
    return;
  std::fputs("LaneCL: this process was forked from one that was using OpenCL; queues and events made before the fork "
             "do not work here. Create a new context and queue after fork(), or start the process with exec().\n",
             stderr);
}

} // namespace lanecl::scheduler
