// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The incomplete commands of a context: those of its queues, and those of queues that were released since.
#pragma once

#include "scheduler/scheduler.h"

#include <mutex>
#include <set>
#include <vector>

namespace lanecl::icd {

// clMemBlockingFreeINTEL waits for them, because a command need not say which allocations it uses.
class PendingWork {
public:
  void add(scheduler::Queue &queue);
  void remove(scheduler::Queue &queue); // called when the queue is being destroyed; its commands may go on
  void wait();                          // waits for every command that was enqueued before the call

private:
  void forgetCompleted();

  std::mutex mutex_; // guards the following members, and keeps a queue alive while it is accessed
  std::set<scheduler::Queue *> queues_;
  // For each destroyed queue an event that is complete after all its commands.
  std::vector<scheduler::DependencyPtr> left_behind_;
};

} // namespace lanecl::icd
