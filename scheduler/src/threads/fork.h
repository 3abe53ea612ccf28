// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads do not survive a fork. These functions tell whether a fork has happened.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanecl::scheduler {

uint64_t forkGeneration(); // how many forks lie between the process that loaded this library and this one
// Whether this process was forked, before or after loading the library, and has not called exec() since.
bool isForked();
void warnLostByFork(); // says on stderr what to do, once in a process

// An object that exists once in a process. It is made at first use and never destroyed, because threads may use it
// while the process exits. A forked process gets its own object, because threads that do not exist in the child may
// hold the locks of the parent's.
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
