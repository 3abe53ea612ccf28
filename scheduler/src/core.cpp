#include "core.h"

#include "completion.h"
#include "fork.h"
#include "spin.h"
#include "stack.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

namespace lanecl::scheduler {

namespace {

// A worker stays awake for some time after its last command: waking a thread costs more than a small launch.
constexpr uint64_t kLookNanoseconds = 40'000;
// Asking for workers costs the caller; those who come ask for more.
constexpr int kMostCalledAtOnce = 2;
// Longer than a host thread usually needs to enqueue some commands and to wait for them.
constexpr uint64_t kLingerNanoseconds = 20'000;

// What throws has not let others in yet, so its end is the command's.
std::optional<Status> runGuarded(Node &node) {
  try {
    return node.run();
  } catch (const std::bad_alloc &) {
    return kOutOfHostMemory;
  } catch (...) {
    std::fputs("LaneCL: a command threw an exception; it failed\n", stderr);
    return kOutOfResources;
  }
}

} // namespace

void Core::begin() {
  if (begun_in.load(std::memory_order_relaxed) == 0) {
    watchForks();
    begun_in.store(forkGeneration() + 1, std::memory_order_relaxed);
  }
}

bool Core::lostByFork() const {
  const uint64_t generation = begun_in.load(std::memory_order_relaxed);
  return generation != 0 && generation != forkGeneration() + 1;
}

void Core::submit(NodePtr node, Start start) {
  if (start != Start::Now)
    return linger(std::move(node), start == Start::Soon);
  {
    std::lock_guard lock(mutex);
    addWork(node->priority(), 1);
    ready[size_t(node->priority())].push(std::move(node));
  }
  callWorkers();
}

void Core::linger(NodePtr node, bool watched) {
  {
    std::lock_guard lock(mutex);
    lingering.push(std::move(node));
    lingered.fetch_add(1, std::memory_order_relaxed);
    if (!lingers())
      linger_until.store(nanoseconds() + kLingerNanoseconds);
  }
  if (watched)
    callWorkersUpTo(1);
}

void Core::startLingering() {
  if (!lingers())
    return;
  {
    std::lock_guard lock(mutex);
    while (NodePtr node = lingering.pop()) {
      const Priority priority = node->priority();
      addWork(priority, 1);
      ready[size_t(priority)].push(std::move(node));
    }
    linger_until.store(0);
  }
  callWorkers();
}

void Core::startExpired() {
  const uint64_t until = linger_until.load();
  if (until != 0 && nanoseconds() >= until)
    startLingering();
}

void Core::share(NodePtr node) {
  {
    std::lock_guard lock(mutex);
    const Priority priority = node->priority();
    shared.push_back({std::move(node), 1, true}); // may throw: nobody has been let in then
    addWork(priority, static_cast<int>(max_running) - 1);
  }
  callWorkers();
}

std::vector<Core::Shared>::iterator Core::findShared(const Node &node) {
  return std::find_if(shared.begin(), shared.end(), [&](const Shared &s) { return s.node.get() == &node; });
}

bool Core::stepAside(const Node &node) {
  std::lock_guard lock(mutex);
  const auto entry = findShared(node);
  if (!entry->open)
    return false;
  --entry->participants;
  addWork(node.priority(), 1);
  return true;
}

bool Core::leaveShared(const Node &node) {
  NodePtr last; // destroyed after the lock is gone
  std::lock_guard lock(mutex);
  const auto entry = findShared(node);
  if (std::exchange(entry->open, false))
    addWork(node.priority(), -static_cast<int>(max_running - entry->participants));
  if (--entry->participants != 0)
    return false;
  last = std::move(entry->node);
  shared.erase(entry);
  return true;
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

// By who adds work, and by who was looking for some and turns to something else.
bool Core::callWorkers() {
  const int places = static_cast<int>(max_running) - running.load();
  return callWorkersUpTo(std::max(std::min(work.load(), places), lingers() ? 1 : 0));
}

// Sees to it that so many are looking or on their way.
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
  const bool any_lingering = taker.waits() && lingers();
  if (idle() && !any_lingering)
    return Taken::Nothing;
  std::lock_guard lock(mutex);
  if (!hasPlace())
    return Taken::Nothing;
  if (takeMostUrgent(task, taker))
    addWork(task.node->priority(), -1);
  else if (!any_lingering || !takeFirst(lingering, task, taker))
    return idle() && !lingers() ? Taken::Nothing : Taken::NotHere;
  else if (lingering.empty())
    linger_until.store(0);
  running.fetch_add(1);
  return Taken::Task;
}

bool Core::takeMostUrgent(Task &task, const Taker &taker) {
  for (size_t i = 0; i < kPriorities; ++i) {
    // Launches in progress come first: they hold memory, and others may wait for them.
    if (takeShared(task, Priority(i), taker) || takeFirst(ready[i], task, taker))
      return true;
    if (work_of[i].load(std::memory_order_relaxed) > 0)
      return false; // not for this thread, and it would leave anything else for it at once
  }
  return false;
}

bool Core::takeFirst(NodeList &from, Task &task, const Taker &taker) {
  task = {from.takeIf([&](const Node &node) { return taker.mayRun(node); }), false};
  return task.node != nullptr;
}

bool Core::takeShared(Task &task, Priority priority, const Taker &taker) {
  for (Shared &entry : shared) {
    if (!entry.open || entry.node->priority() != priority || entry.participants >= max_running ||
        !taker.mayJoin(*entry.node))
      continue;
    ++entry.participants;
    task = {entry.node, true};
    return true;
  }
  return false;
}

// Runs the task and whatever becomes ready by it, one after the other. A waiting thread stops when its node is done.
// Commands turn their exceptions into a status, and nothing else here can throw: who takes a place gives it back, and
// what depends on a command gets to know of its end.
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

// Leaves when nothing came for a while. What lingers needs somebody to watch the time.
void Core::runWorker() {
  called.fetch_sub(1);
  const Confinement confinement(confines());
  Task task;
  uint32_t seen;
  do {
    while (take(task, {}) == Taken::Task)
      execute(std::move(task), {});
    seen = lingered.load(std::memory_order_relaxed);
  } while (lookForWork([this] { return !idle() && hasPlace(); }) || lingers() ||
           seen != lingered.load(std::memory_order_relaxed));
}

void Core::waitFor(Node &node) {
  if (lostByFork())
    return node.failAfterFork();
  const Unconfined unconfined; // the thread goes from one device's command to another's
  const Lending lending(this);
  Taker taker{.until = &node, .stack_limit = stackLeft()};
  help(taker);
  if (!node.done())
    startLingering();
  // This thread goes back to its own affairs, or to sleep.
  if (!callWorkers()) {
    taker.alone = true;
    help(taker);
  }
  node.sleepUntilDone();
}

// What this thread must not take is left to the workers.
void Core::help(const Taker &taker) {
  const Node &until = *taker.until;
  Task task;
  while (!until.done()) {
    const Taken taken = take(task, taker);
    if (taken == Taken::Task) {
      const Confinement confinement(confines());
      execute(std::move(task), taker);
      continue;
    }
    const auto stop = [&] { return until.done() || ((!idle() || lingers()) && hasPlace()); };
    if (taken == Taken::NotHere || !lookForWork(stop))
      return;
  }
}

} // namespace lanecl::scheduler
