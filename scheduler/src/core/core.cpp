// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/core.h"

#include "threads/fork.h"
#include "threads/one_tbb_threads.h"
#include "threads/own_threads.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanecl::scheduler {

// Calling a worker takes the caller's time. The workers that come call more.
static constexpr int kMostCalledAtOnce = 2;

void Core::begin() {
  if (begun_in.load(std::memory_order_relaxed) != 0)
    return;
  if (isForked())
    neverUseOneTbb();
  begun_in.store(forkGeneration() + 1, std::memory_order_relaxed);
}

bool Core::lostByFork() const {
  const uint64_t generation = begun_in.load(std::memory_order_relaxed);
  return generation != 0 && generation != forkGeneration() + 1;
}

void Core::submit(NodePtr node, Start start) {
  assert(node && &node->owner() == this && "the command belongs to another device");
  assert(node->kind() == Node::Kind::Command && "markers and user events have nothing to run");
  assert(!node->dependencyFailed() && "a command must not run when one of its dependencies has failed");
  if (start != Start::Now)
    return defer(std::move(node), start == Start::Deferred);
  {
    std::lock_guard lock(mutex);
    addWork(*node, 1);
    ready[size_t(node->priority())].push(std::move(node));
  }
  callWorkers();
}

// Called with the lock held, so none of the three counts may be negative in between.
void Core::addWork(const Node &node, int count) {
  [[maybe_unused]] const int before = work.fetch_add(count);
  assert(before + count >= 0 && "more commands were taken than there were");
  [[maybe_unused]] const int before_of_priority =
      work_of[size_t(node.priority())].fetch_add(count, std::memory_order_relaxed);
  assert(before_of_priority + count >= 0 && "the priority of a command has changed while it was listed");
  [[maybe_unused]] const int before_of_crew = of(node.crew()).work.fetch_add(count);
  assert(before_of_crew + count >= 0 && "the crew of a command has changed while it was listed");
}

bool Core::hasWorkFor(Crew crew) {
  return crew == Crew::Own && ownThreadsStandIn() ? !idle() : of(crew).work.load() > 0;
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

// Calls as many workers as there is work and room for. Called by threads that add work and by threads that stop looking
// for work.
bool Core::callWorkers() {
  if (idle() && !hasDeferred()) // the usual case after a launch that the waiting thread ran itself
    return true;
  const int places = freePlaces();
  const int watchers = hasDeferred() ? 1 : 0;
  sleepers.call(std::min(of(Crew::OneTbb).work.load(), places) - of(Crew::OneTbb).looking.load() - sleepers.coming());
  if (ownThreadsStandIn())
    return callWorkersUpTo(Crew::Own,
                           std::max(std::min(work.load(), places), watchers) - of(Crew::OneTbb).looking.load());
  const bool own = callWorkersUpTo(Crew::Own, std::min(of(Crew::Own).work.load(), places));
  return callWorkersUpTo(Crew::OneTbb, std::max(std::min(of(Crew::OneTbb).work.load(), places), watchers)) && own;
}

// Makes sure that at least `wanted` threads of the crew are looking for work or were called. Returns false when no more
// can be called.
bool Core::callWorkersUpTo(Crew crew, int wanted) {
  Workers &workers = of(crew);
  int asked = workers.called.load();
  int missing;
  do {
    missing = std::min(wanted - workers.looking.load() - asked, kMostCalledAtOnce);
    if (missing <= 0)
      return true;
  } while (!workers.called.compare_exchange_weak(asked, asked + missing));
  for (int i = 0; i < missing; ++i) {
    try {
      callWorker(crew);
    } catch (...) {
      [[maybe_unused]] const int before = workers.called.fetch_sub(missing - i);
      assert(before >= missing - i && "a worker that was not called has come");
      return false;
    }
  }
  return true;
}

void Core::callWorker(Crew crew) {
  auto visit = [self = shared_from_this(), crew] { self->runWorker(crew); };
  if (crew == Crew::OneTbb)
    runOnOneTbbThread(max_running, std::move(visit));
  else
    runOnOwnThread(std::move(visit));
}

void Core::lendPlace(bool call_workers) {
  [[maybe_unused]] const int before = running.fetch_sub(1);
  assert(before > 0 && "a place is lent that no thread has taken");
  if (call_workers && !lostByFork())
    callWorkers();
}

Core::Taken Core::take(Task &task, const Taker &taker) {
  assert(!task.node && "the thread would forget the command that it has taken before");
  const bool any_deferred = taker.waits() && hasDeferred();
  if (idle() && !any_deferred)
    return Taken::Nothing;
  std::lock_guard lock(mutex);
  if (!hasPlace())
    return Taken::Nothing;
  if (takeMostUrgent(task, taker))
    addWork(*task.node, -1);
  else if (!any_deferred || !takeFirst(deferred, task, taker))
    return idle() && !hasDeferred() ? Taken::Nothing : Taken::NotHere;
  else if (deferred.empty())
    deferred_until.store(0);
  running.fetch_add(1);
  return Taken::Task;
}

bool Core::takeMostUrgent(Task &task, const Taker &taker) {
  for (size_t i = 0; i < kPriorities; ++i) {
    // Launches in progress come first: they hold memory, and other commands may wait for them.
    if (takeShared(task, Priority(i), taker) || takeFirst(ready[i], task, taker))
      return true;
    if (work_of[i].load(std::memory_order_relaxed) > 0)
      // What is there is not for this thread, and if it took something less urgent it would have to leave that at once.
      return false;
  }
  return false;
}

// Takes the first node of the list that the thread may run. The last free place is kept for the oldest command, which
// may be for the other crew.
bool Core::takeFirst(NodeList &from, Task &task, const Taker &taker) {
  const bool oldest_only = !taker.waits() && freePlaces() == 1;
  bool oldest = true;
  task = {from.takeIf(
              [&](const Node &node) { return (std::exchange(oldest, false) || !oldest_only) && taker.mayRun(node); }),
          false};
  return task.node != nullptr;
}

} // namespace lanecl::scheduler
