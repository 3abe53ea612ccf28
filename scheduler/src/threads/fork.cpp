// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/fork.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <pthread.h>

namespace lanecl::scheduler {

namespace {
std::atomic<uint64_t> generation{0};
std::atomic<uint64_t> warned{0};
} // namespace

void watchForks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); }); });
}

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
