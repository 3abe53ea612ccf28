// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "threads/fork.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <pthread.h>

namespace lanecl::scheduler {

namespace {
// How many forks lie between the process that loaded this library and this one.
std::atomic<uint64_t> generation{0};
// The generation in which warnLostByFork() has last written its message.
std::atomic<uint64_t> warned{0};

// The handler is registered when the library is loaded, not when it is first used. A fork that has started to call
// handlers does not call one that is registered meanwhile, and that can take long, because the fork waits for
// compilations.
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); });

// Returns the kernel's flags of this process; 0 when the system does not tell. They are the ninth field of the line: "7
// (a name) S 1 …".
uint64_t processFlags() {
  const auto close = [](std::FILE *file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen("/proc/self/stat", "re"), close);
  uint64_t flags = 0;
  if (!file || std::fscanf(file.get(), "%*d (%*[^)]%*[)] %*c %*d %*d %*d %*d %*d %" SCNu64, &flags) != 1)
    return 0;
  return flags;
}

constexpr uint64_t kForkedWithoutExec = 0x40; // PF_FORKNOEXEC of Linux
const bool was_forked_before = (processFlags() & kForkedWithoutExec) != 0;
} // namespace

uint64_t forkGeneration() {
  return generation.load(std::memory_order_relaxed);
}

bool isForked() {
  return forkGeneration() != 0 || was_forked_before;
}

void warnLostByFork() {
  if (warned.exchange(forkGeneration()) == forkGeneration())
    return;
  std::fputs("LaneCL: this process was forked from one that was using OpenCL; queues and events made before the fork "
             "do not work here. Create a new context and queue after fork(), or start the process with exec().\n",
             stderr);
}

} // namespace lanecl::scheduler
