// What is still to be done in a context: the commands of its queues, and those that queues left behind when they went.
#pragma once

#include "scheduler/scheduler.h"

#include <mutex>
#include <set>
#include <vector>

namespace lanecl::icd {

class PendingWork {
public:
  void add(scheduler::Queue &queue);
  void remove(scheduler::Queue &queue); // the queue goes, its commands do not
  void wait();                          // for everything that was enqueued before

private:
  void forgetCompleted();

  std::mutex mutex_; // guards what follows, and keeps a queue from going while it is looked at
  std::set<scheduler::Queue *> queues_;
  std::vector<scheduler::EventPtr> left_behind_; // of each queue that went, an event after all its commands
};

} // namespace lanecl::icd
