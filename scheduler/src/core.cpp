#include "core.h"

#include "completion.h"
#include "fork.h"
#include "spin.h"
#include "stack.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace lanecl::scheduler {

namespace {

// The device whose commands this thread is executing; a wait below that must not give up the thread.
thread_local Core *current_core = nullptr;
// What this thread waits for while it executes them.
thread_local const Node *awaited = nullptr;

std::atomic<int> nested_sleepers{0};
std::atomic<int> nested_epoch{0};

// A worker stays awake for some time after its last command: waking a thread costs more than a small launch.
constexpr uint64_t kLookNanoseconds = 40'000;
// Asking for workers costs the caller; those who come ask for more.
constexpr int kMostCalledAtOnce = 2;
// Longer than a host thread usually needs to enqueue some commands and to wait for them.
constexpr uint64_t kLingerNanoseconds = 20'000;
constexpr uint64_t kAnyStack = std::numeric_limits<uint64_t>::max();

} // namespace

const Core::Taker Core::kWorker{.nested = false, .waits = false, .stack_limit = kAnyStack};
const Core::Taker Core::kNested{.nested = true, .waits = true, .stack_limit = kAnyStack};

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

void Core::wakeNestedSleepers() {
  if (nested_sleepers.load() == 0)
    return;
  nested_epoch.fetch_add(1);
  nested_epoch.notify_all();
}

void Core::submit(NodePtr node, Start start) {
  if (start != Start::Now)
    return linger(std::move(node), start == Start::Soon);
  {
    std::lock_guard lock(mutex);
    addWork(node->priority(), 1);
    ready[size_t(node->priority())].push_back(std::move(node));
  }
  callWorkers();
  wakeNestedSleepers();
}

void Core::linger(NodePtr node, bool watched) {
  {
    std::lock_guard lock(mutex);
    lingering.push_back(std::move(node));
    lingered.fetch_add(1, std::memory_order_relaxed);
    if (!lingers())
      linger_until.store(nanoseconds() + kLingerNanoseconds);
  }
  if (watched)
    callWorkersUpTo(1);
  wakeNestedSleepers();
}

void Core::startLingering() {
  if (!lingers())
    return;
  {
    std::lock_guard lock(mutex);
    for (NodePtr &node : lingering) {
      addWork(node->priority(), 1);
      ready[size_t(node->priority())].push_back(std::move(node));
    }
    lingering.clear();
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
    addWork(node->priority(), static_cast<int>(max_running) - 1);
    shared.push_back({std::move(node), 1, true});
  }
  callWorkers();
  wakeNestedSleepers();
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
  return hasMoreUrgent(from.priority()) || (awaited != nullptr && awaited->done());
}

// By who adds work, and by who was looking for some and turns to something else.
void Core::callWorkers() {
  const int places = static_cast<int>(max_running) - running.load();
  callWorkersUpTo(std::max(std::min(work.load(), places), lingers() ? 1 : 0));
}

// Sees to it that so many are looking or on their way.
void Core::callWorkersUpTo(int wanted) {
  int asked = called.load();
  int missing;
  do {
    missing = std::min(wanted - looking.load() - asked, kMostCalledAtOnce);
    if (missing <= 0)
      return;
  } while (!called.compare_exchange_weak(asked, asked + missing));
  for (int i = 0; i < missing; ++i) {
    try {
      workers.call(shared_from_this());
    } catch (...) { // no memory or no thread: those who are there, or wait later, do the work
      called.fetch_sub(1);
    }
  }
}

Core::Taken Core::take(Task &task, const Taker &taker) {
  const bool any_lingering = taker.waits && lingers();
  if (idle() && !any_lingering)
    return Taken::Nothing;
  std::lock_guard lock(mutex);
  if (!taker.nested && !hasPlace())
    return Taken::Nothing;
  if (takeMostUrgent(task, taker.stack_limit))
    addWork(task.node->priority(), -1);
  else if (!any_lingering || !takeFirst(lingering, task, taker.stack_limit))
    return idle() && !lingers() ? Taken::Nothing : Taken::NotHere;
  else if (lingering.empty())
    linger_until.store(0);
  running.fetch_add(taker.nested ? 0 : 1);
  return Taken::Task;
}

bool Core::takeMostUrgent(Task &task, uint64_t stack_limit) {
  for (size_t i = 0; i < kPriorities; ++i) {
    // Launches in progress come first: they hold memory, and others may wait for them.
    if (takeShared(task, Priority(i), stack_limit) || takeFirst(ready[i], task, stack_limit))
      return true;
    if (work_of[i].load(std::memory_order_relaxed) > 0)
      return false; // not with this stack, and it would leave anything else for it at once
  }
  return false;
}

bool Core::takeFirst(std::deque<NodePtr> &from, Task &task, uint64_t stack_limit) {
  if (from.empty() || from.front()->stackBytes() > stack_limit)
    return false;
  task = {std::move(from.front()), false};
  from.pop_front();
  return true;
}

bool Core::takeShared(Task &task, Priority priority, uint64_t stack_limit) {
  for (Shared &entry : shared) {
    if (!entry.open || entry.node->priority() != priority || entry.participants >= max_running ||
        entry.node->stackBytes() > stack_limit)
      continue;
    ++entry.participants;
    task = {entry.node, true};
    return true;
  }
  return false;
}

// Runs the task and whatever becomes ready by it, one after the other. A waiting thread stops when its node is done.
void Core::execute(Task task, const Node *until) {
  callWorkers();
  Core *const outer = std::exchange(current_core, this);
  const Node *const awaited_outside = std::exchange(awaited, until);
  while (task.node) {
    Node &node = *task.node;
    if (!task.join)
      node.reach(kRunning);
    const std::optional<Status> status = task.join ? node.join() : node.run();
    if (!status)
      break;
    node.dropPayload();
    Completion completion;
    completion.complete(node, *status);
    NodePtr next = completion.dispatch(this);
    if (next && until != nullptr && until->done())
      submit(std::exchange(next, nullptr));
    task = {std::move(next), false};
  }
  awaited = awaited_outside;
  current_core = outer;
}

// The caller looks for work after this, or calls others.
void Core::executeAndGiveBack(Task task, const Node *until) {
  execute(std::move(task), until);
  running.fetch_sub(1);
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
    while (take(task, kWorker) == Taken::Task)
      executeAndGiveBack(std::move(task), nullptr);
    seen = lingered.load(std::memory_order_relaxed);
  } while (lookForWork([this] { return !idle() && hasPlace(); }) || lingers() ||
           seen != lingered.load(std::memory_order_relaxed));
}

void Core::waitFor(Node &node) {
  if (lostByFork())
    return node.failAfterFork();
  if (current_core != nullptr)
    return current_core->helpNested(node);
  help(node);
  if (!node.done())
    startLingering();
  callWorkers();
  node.sleepUntilDone();
}

// On a host thread. What this thread must not take is left to the workers.
void Core::help(const Node &until) {
  const Taker taker{.nested = false, .waits = true, .stack_limit = stackLeft()};
  Task task;
  while (!until.done()) {
    const Taken taken = take(task, taker);
    if (taken == Taken::Task) {
      const Confinement confinement(confines());
      executeAndGiveBack(std::move(task), &until);
      continue;
    }
    const auto stop = [&] { return until.done() || ((!idle() || lingers()) && hasPlace()); };
    if (taken == Taken::NotHere || !lookForWork(stop))
      return;
  }
}

// On a thread that is in the midst of a command or a callback. It may be the only one, so it must not sleep while
// there is anything to run.
void Core::helpNested(const Node &until) {
  const auto stop = [&] { return until.done() || !idle() || lingers(); };
  Task task;
  while (!until.done()) {
    if (take(task, kNested) == Taken::Task) {
      const Confinement confinement(confines()); // which a callback is not subject to
      execute(std::move(task), &until);
      continue;
    }
    if (lookForWork(stop))
      continue;
    nested_sleepers.fetch_add(1);
    const int epoch = nested_epoch.load();
    if (!stop())
      nested_epoch.wait(epoch);
    nested_sleepers.fetch_sub(1);
  }
  callWorkers(); // this thread was counted on, and goes back to its own affairs
}

} // namespace lanecl::scheduler
