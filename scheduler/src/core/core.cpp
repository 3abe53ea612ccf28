// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/core.h"

#include "threads/fork.h"

#include <algorithm>

namespace lanecl::scheduler {

// Calling workers takes the caller's time; workers that come call more.
static constexpr int kMostCalledAtOnce = 2;

void Core::begin() {
  if (begun_in.load(std::memory_order_relaxed) == 0)
    begun_in.store(forkGeneration() + 1, std::memory_order_relaxed);
}

bool Core::lostByFork() const {
  const uint64_t generation = begun_in.load(std::memory_order_relaxed);
  return generation != 0 && generation != forkGeneration() + 1;
}

void Core::submit(NodePtr node, Start start) {
  if (start != Start::Now)
    return defer(std::move(node), start == Start::Deferred);
  {
    std::lock_guard lock(mutex);
    addWork(node->priority(), 1);
    ready[size_t(node->priority())].push(std::move(node));
  }
  callWorkers();
}

void Core::addWork(Priority priority, int count) {
  work.fetch_add(count);
  work_of[size_t(priority)].fetch_add(count, std::memory_order_relaxed);
}

bool Core::hasMoreUrgent(Priority priority) const {
  for (size_t i = 0; i < size_t(priority); ++i)
    if (work_of[i].load(std::memory_order_relaxed) > 0)
      return true;
  return false;
}

bool Core::calledAway(const Node &from) const {
  if (hasMoreUrgent(from.priority()))
    return true;
  const Taker *taker = currentTaker();
  return taker != nullptr && taker->waits() && taker->until->done();
}

// Called by threads that add work, and by threads that stop looking for it.
bool Core::callWorkers() {
  const int places = static_cast<int>(max_running) - running.load();
  return callWorkersUpTo(std::max(std::min(work.load(), places), hasDeferred() ? 1 : 0));
}

// Makes sure that so many threads are looking for work or were called.
bool Core::callWorkersUpTo(int wanted) {
  int asked = called.load();
  int missing;
  do {
    missing = std::min(wanted - looking.load() - asked, kMostCalledAtOnce);
    if (missing <= 0)
      return true;
  } while (!called.compare_exchange_weak(asked, asked + missing));
  for (int i = 0; i < missing; ++i) {
    try {
      callWorker(shared_from_this());
    } catch (...) {
      called.fetch_sub(missing - i);
      return false;
    }
  }
  return true;
}

void Core::lendPlace(bool call_workers) {
  running.fetch_sub(1);
  if (call_workers && !lostByFork())
    callWorkers();
}

Core::Taken Core::take(Task &task, const Taker &taker) {
  const bool any_deferred = taker.waits() && hasDeferred();
  if (idle() && !any_deferred)
    return Taken::Nothing;
  std::lock_guard lock(mutex);
  if (!hasPlace())
    return Taken::Nothing;
  if (takeMostUrgent(task, taker))
    addWork(task.node->priority(), -1);
  else if (!any_deferred || !takeFirst(deferred, task, taker))
    return idle() && !hasDeferred() ? Taken::Nothing : Taken::NotHere;
  else if (deferred.empty())
    deferred_until.store(0);
  running.fetch_add(1);
  return Taken::Task;
}

bool Core::takeMostUrgent(Task &task, const Taker &taker) {
  for (size_t i = 0; i < kPriorities; ++i) {
    // Launches in progress come first: they hold memory, and others may wait for them.
    if (takeShared(task, Priority(i), taker) || takeFirst(ready[i], task, taker))
      return true;
    if (work_of[i].load(std::memory_order_relaxed) > 0)
      return false; // not for this thread, which would leave anything less urgent for it at once
  }
  return false;
}

bool Core::takeFirst(NodeList &from, Task &task, const Taker &taker) {
  task = {from.takeIf([&](const Node &node) { return taker.mayRun(node); }), false};
  return task.node != nullptr;
}

} // namespace lanecl::scheduler
