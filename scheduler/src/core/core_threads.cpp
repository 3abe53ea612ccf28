// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of Core for threads: workers, and host threads that help while they wait.
#include "core/completion.h"
#include "core/core.h"
#include "threads/affinity.h"
#include "threads/spin.h"
#include "threads/stack.h"

#include <cstdio>
#include <new>
#include <utility>

namespace lanecl::scheduler {

// A worker stays awake for some time after its last command: waking a thread costs more than a small launch.
static constexpr uint64_t kLookNanoseconds = 40'000;

// A command that throws has not been shared yet, so no other thread has to finish before it is completed.
static std::optional<Status> runGuarded(Node &node) {
  try {
    return node.run();
  } catch (const std::bad_alloc &) {
    return kOutOfHostMemory;
  } catch (...) {
    std::fputs("LaneCL: a command threw an exception; it failed\n", stderr);
    return kOutOfResources;
  }
}

// Runs the task and whatever becomes ready by it, one after the other. A waiting thread stops when its node is done.
// Exceptions of commands become a status, and nothing else here can throw: so the place is always given back, and a
// command's dependants are always told of its end.
void Core::execute(Task task, const Taker &taker) noexcept {
  const Place place(*this, taker);
  callWorkers();
  while (task.node) {
    Node &node = *task.node;
    if (!task.join)
      node.reach(kRunning);
    const std::optional<Status> status = task.join ? node.join() : runGuarded(node);
    if (!status)
      break;
    node.dropPayload();
    Completion completion;
    completion.complete(node, *status);
    NodePtr next = completion.dispatch(this);
    if (next && taker.waits() && taker.until->done())
      submit(std::exchange(next, nullptr));
    task = {std::move(next), false};
  }
}

// True when there is work, or the caller has another reason to stop looking.
template <typename Stop> bool Core::lookForWork(Stop stop) {
  looking.fetch_add(1);
  Spin spin(kLookNanoseconds);
  bool found = false;
  do {
    startExpired();
    found = stop();
  } while (!found && spin.again());
  looking.fetch_sub(1);
  return found || stop();
}

// Returns when no work came for a while. As long as a command is deferred, a worker stays to watch the time.
void Core::runWorker() {
  called.fetch_sub(1);
  const ScopedAffinity affinity(boundTo());
  Task task;
  uint32_t seen;
  do {
    while (take(task, {}) == Taken::Task)
      execute(std::move(task), {});
    seen = deferrals.load(std::memory_order_relaxed);
  } while (lookForWork([this] { return !idle() && hasPlace(); }) || hasDeferred() ||
           seen != deferrals.load(std::memory_order_relaxed));
}

void Core::waitFor(Node &node) {
  if (lostByFork())
    return node.failAfterFork();
  const ScopedOwnAffinity own; // the thread may be bound to another device's processors
  const Lending lending(this);
  Taker taker{.until = &node, .stack_limit = stackLeft()};
  help(taker);
  if (!node.done())
    startDeferred();
  // This thread does not look for work any more.
  if (!callWorkers()) {
    taker.alone = true;
    help(taker);
  }
  node.sleepUntilDone();
}

// Runs commands until the node is done. Returns early when there is no work, or none that this thread may take.
void Core::help(const Taker &taker) {
  const Node &until = *taker.until;
  Task task;
  while (!until.done()) {
    const Taken taken = take(task, taker);
    if (taken == Taken::Task) {
      const ScopedAffinity affinity(boundTo());
      execute(std::move(task), taker);
      continue;
    }
    const auto stop = [&] { return until.done() || ((!idle() || hasDeferred()) && hasPlace()); };
    if (taken == Taken::NotHere || !lookForWork(stop))
      return;
  }
}

} // namespace lanecl::scheduler
