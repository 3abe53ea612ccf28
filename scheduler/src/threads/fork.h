// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads do not survive a fork; this tells whether one has happened.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanecl::scheduler {

uint64_t forkGeneration(); // how many forks lie between the process that loaded this library and this one
bool isForked();           // this process was forked, before or after that, and has not called exec() since
void warnLostByFork();     // once a process: says on stderr what to do

// An object of the process, made at first use and never destroyed, as threads may use it while the process exits. A
// forked process gets its own: the parent's may be locked by threads that do not exist in the child.
template <typename T> class PerProcess {
public:
  T &get() {
    Made *current = made.load();
    if (current != nullptr && current->forks == forkGeneration())
      return current->object;
    auto *const fresh = new Made;
    if (made.compare_exchange_strong(current, fresh))
      return fresh->object;
    delete fresh;
    return current->object;
  }

private:
  struct Made {
    const uint64_t forks = forkGeneration();
    T object;
  };
  std::atomic<Made *> made{nullptr};
};

} // namespace lanecl::scheduler
