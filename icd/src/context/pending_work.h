// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The commands of a context that are not complete: those of its queues, and of queues that were released since.
#pragma once

#include "scheduler/scheduler.h"

#include <mutex>
#include <set>
#include <vector>

namespace lanecl::icd {

class PendingWork {
public:
  void add(scheduler::Queue &queue);
  void remove(scheduler::Queue &queue); // the queue is being destroyed, but not its commands
  void wait();                          // for everything that was enqueued before

private:
  void forgetCompleted();

  std::mutex mutex_; // guards what follows, and keeps a queue alive while it is accessed
  std::set<scheduler::Queue *> queues_;
  std::vector<scheduler::EventPtr> left_behind_; // of each destroyed queue, an event after all its commands
};

} // namespace lanecl::icd
