// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects and waits for the incomplete commands of a context.

#include "context/pending_work.h"

namespace lanecl::icd {

void PendingWork::add(scheduler::Queue &queue) {
  const std::lock_guard lock(mutex_);
  queues_.insert(&queue);
}

void PendingWork::remove(scheduler::Queue &queue) {
  const std::lock_guard lock(mutex_);
  queues_.erase(&queue);
  forgetCompleted();
  if (scheduler::EventPtr pending = queue.pending())
    left_behind_.push_back(std::move(pending));
}

// Drops the events that are complete, so that the list does not grow with every released queue.
void PendingWork::forgetCompleted() {
  std::erase_if(left_behind_, [](const scheduler::EventPtr &event) { return event->status() <= scheduler::kComplete; });
}

void PendingWork::wait() {
  std::vector<scheduler::EventPtr> pending;
  {
    const std::lock_guard lock(mutex_);
    forgetCompleted();
    pending = left_behind_;
    for (scheduler::Queue *queue : queues_)
      if (scheduler::EventPtr event = queue->pending())
        pending.push_back(std::move(event));
  }
  for (const scheduler::EventPtr &event : pending)
    event->wait();
}

} // namespace lanecl::icd
