// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The part of Core for threads: workers, and host threads that help while they wait.
#include "core/completion.h"
#include "core/core.h"
#include "threads/affinity.h"
#include "threads/one_tbb_threads.h"
#include "threads/own_threads.h"
#include "threads/spin.h"
#include "threads/stack.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cxxabi.h>
#include <new>
#include <utility>

namespace lanecl::scheduler {

// How long a worker looks for work after its last command. Waking a thread costs more than a small launch.
static constexpr uint64_t kLookNanoseconds = 40'000;

// How long a thread of oneTBB visits a device while another device waits for a thread. It comes back when it is this
// device's turn.
static constexpr uint64_t kVisitNanoseconds = 2'000'000;

// How long a waiting thread is not called again after it could not take the work that there was.
static constexpr uint64_t kRefusalNanoseconds = 1'000'000;

// Runs the node's command and turns an exception into a status. A command that throws has not been shared yet, so no
// other thread has to finish before it is completed.
static std::optional<Status> runGuarded(Node &node) {
  try {
    return node.run();
  } catch (const ::abi::__forced_unwind &) { // pthread_exit() in code of the host program
    throw;
  } catch (const std::bad_alloc &) {
    return kOutOfHostMemory;
  } catch (...) {
    std::fputs("LaneCL: a command threw an exception; it failed\n", stderr);
    return kOutOfResources;
  }
}

// Completes the command in which a thread ends by pthread_exit(). It does so on another thread, after the ending thread
// has given back its place.
class Core::ThreadEnd {
public:
  explicit ThreadEnd(const NodePtr &running) : node(running) {}
  ~ThreadEnd() {
    if (node == nullptr)
      return;
    try {
      runOnOwnThread([ended = node] { end(*ended); });
    } catch (const std::exception &) { // there is no memory or no thread
      end(*node);
    }
  }
  ThreadEnd(const ThreadEnd &) = delete;
  ThreadEnd &operator=(const ThreadEnd &) = delete;

private:
  static void end(Node &node) {
    node.dropPayload();
    Completion completion;
    completion.complete(node, kComplete);
    completion.dispatch();
    node.owner().callWorkers();
  }

  const NodePtr &node; // null: no command is running
};

// Runs the task and then whatever becomes ready by it, one command after the other. A waiting thread stops when its
// node is done. Exceptions of commands become a status, and nothing else here can throw. Therefore the place is always
// given back, and a command's dependants are always told of its end.
void Core::execute(Task task, const Taker &taker) {
  const ThreadEnd end(task.node);
  const Place place(*this, taker);
  callWorkers();
  while (task.node) {
    Node &node = *task.node;
    if (!task.join)
      node.reach(kRunning);
    const std::optional<Status> status = task.join ? node.join() : runGuarded(node);
    if (!status) {
      task.node = nullptr;
      break;
    }
    node.dropPayload();
    Completion completion;
    completion.complete(node, *status);
    NodePtr next = completion.dispatch(this);
    if (next && taker.waits() && taker.until->done())
      submit(std::exchange(next, nullptr));
    task = {std::move(next), false};
  }
}

// Looks for work for kLookNanoseconds. `stop` says whether there is some, or another reason to stop looking; returns
// its last answer.
template <typename Stop> bool Core::lookForWork(Crew crew, Stop stop) {
  std::atomic<int> &looking = of(crew).looking;
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

// A worker's visit to this device. It returns when no work came for a while, so that the thread goes back to oneTBB or
// to the pool of own threads. As long as a command is deferred, a worker stays to watch the time.
void Core::runWorker(Crew crew) {
  [[maybe_unused]] const int called = of(crew).called.fetch_sub(1);
  assert(called > 0 && "a worker has come that was not called");
  if (crew == Crew::OneTbb && stackLeft() < kOneTbbStackBytes)
    return leaveOneTbb();
  const ScopedAffinity affinity(boundTo());
  const uint64_t begin = nanoseconds();
  const auto watches = [&] { return crew == Crew::OneTbb || ownThreadsStandIn(); };
  uint32_t seen;
  do {
    if (!runCommands(crew, begin))
      break;
    seen = deferrals.load(std::memory_order_relaxed);
  } while (lookForWork(crew, [&] { return hasWorkFor(crew) && hasPlace(); }) ||
           (watches() && (hasDeferred() || seen != deferrals.load(std::memory_order_relaxed))));
  callWorkers(); // what has come since may be for the other crew
}

// Runs the commands that this crew may take. Returns false when the worker has to leave the device, which it has
// visited since `begin`.
bool Core::runCommands(Crew crew, uint64_t begin) {
  const Taker taker{.crew = crew};
  Task task;
  while (true) {
    const Taken taken = take(task, taker);
    if (taken != Taken::Task)
      return taken == Taken::Nothing || leaveToOtherCrew(crew);
    execute(std::move(task), taker);
    if (crew == Crew::OneTbb && anyVisitWaits() && nanoseconds() - begin > kVisitNanoseconds)
      return false;
  }
}

// Called when the remaining work is not for this crew: calls workers of the other one. Returns false when there is no
// memory or no thread for them.
bool Core::leaveToOtherCrew(Crew crew) {
  if (!ownThreadsStandIn()) {
    const Crew other = crew == Crew::Own ? Crew::OneTbb : Crew::Own;
    if (!callWorkersUpTo(other, std::min(of(other).work.load(), freePlaces())))
      return false;
  }
  sched_yield(); // the oldest command may be another thread's
  return true;
}

// Called on a thread of oneTBB whose stack is smaller than launches may need, because the program has asked for small
// stacks. Own threads run everything from then on.
void Core::leaveOneTbb() {
  neverUseOneTbb();
  callWorkersOfAllCores();
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
  // This thread does not look for work any more. If no worker can be called, it has to run whatever there is.
  if (!callWorkers()) {
    taker.alone = true;
    help(taker);
  }
  uint64_t callable_from = 0;
  while (sleepUntilDoneOrCalled(node, callable_from)) {
    if (help(taker) == Taken::NotHere)
      callable_from = nanoseconds() + kRefusalNanoseconds;
    callWorkers();
  }
}

// Sleeps until the node is done or the thread is called to take part in work. Returns true if it was called.
bool Core::sleepUntilDoneOrCalled(const Node &node, uint64_t callable_from) {
  if (node.done())
    return false;
  const Blocked blocked;
  return !node.done() && sleepers.sleep(node, callable_from, [this] { return hasWorkFor(Crew::OneTbb) && hasPlace(); });
}

// Runs commands on a thread of oneTBB that asks for the node's status. All threads of oneTBB may be asking, and then
// none is left to run what they ask for.
void Core::helpWhoPolls(const Node &node) {
  const ScopedOwnAffinity own;
  const Lending lending(this);
  help({.until = &node, .stack_limit = stackLeft()});
}

// Runs commands until the node is done. Returns early when there is no work, or none that this thread may take.
Core::Taken Core::help(const Taker &taker) {
  assert(taker.waits() && "a thread that waits for nothing would never stop to help");
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
    if (taken == Taken::NotHere || !lookForWork(Crew::OneTbb, stop))
      return taken;
  }
  return Taken::Nothing;
}

} // namespace lanecl::scheduler
