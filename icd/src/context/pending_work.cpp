// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects and waits for the incomplete commands of a context.

#include "context/pending_work.h"

#include <cassert>

namespace lanecl::icd {

void PendingWork::add(scheduler::Queue &queue) {
  const std::lock_guard lock(mutex_);
  [[maybe_unused]] const bool is_new = queues_.insert(&queue).second;
  assert(is_new && "a queue that was destroyed at this address is still registered");
}

void PendingWork::remove(scheduler::Queue &queue) {
  const std::lock_guard lock(mutex_);
  [[maybe_unused]] const size_t erased = queues_.erase(&queue);
  assert(erased == 1 && "the queue is not registered");
  forgetCompleted();
  if (scheduler::DependencyPtr pending = queue.pending())
    left_behind_.push_back(std::move(pending));
}

// Drops the events that are complete, so that the list does not grow with every released queue.
void PendingWork::forgetCompleted() {
  std::erase_if(left_behind_,
                [](const scheduler::DependencyPtr &event) { return event->status() <= scheduler::kComplete; });
}

void PendingWork::wait() {
  std::vector<scheduler::DependencyPtr> pending;
  {
    const std::lock_guard lock(mutex_);
    forgetCompleted();
    pending = left_behind_;
    for (scheduler::Queue *queue : queues_)
      if (scheduler::DependencyPtr event = queue->pending())
        pending.push_back(std::move(event));
  }
  for (const scheduler::DependencyPtr &event : pending)
    event->wait();
}

} // namespace lanecl::icd
