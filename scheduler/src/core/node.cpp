// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/node.h"

#include "core/completion.h"
#include "core/core.h"
#include "core/place.h"
#include "threads/one_tbb_threads.h"
#include "threads/own_threads.h"

#include <algorithm>
#include <cassert>
#include <sched.h>

namespace lanecl::scheduler {

namespace {

thread_local unsigned callbacks_running = 0; // on this thread, one inside the other

// Counts a callback as running on this thread for a scope.
struct CallbacksRun {
  CallbacksRun() { ++callbacks_running; }
  ~CallbacksRun() { --callbacks_running; }
  CallbacksRun(const CallbacksRun &) = delete;
  CallbacksRun &operator=(const CallbacksRun &) = delete;
};

} // namespace

Node::Node(std::shared_ptr<Core> owner, Kind kind, Timing timing)
    : core(std::move(owner)), node_kind(kind), timed(timing == Timing::On), queued(timed ? nanoseconds() : 0) {
  if (kind == Kind::User)
    current.store(kSubmitted, std::memory_order_relaxed);
}

// A user event that is destroyed without a final status would leave its dependants waiting for ever. They fail instead.
Node::~Node() {
  if (node_kind == Kind::User && !done()) {
    Completion completion;
    completion.complete(*this, kOutOfResources);
    completion.dispatch();
  }
}

Status Node::poll() {
  const Status seen = status();
  if (seen <= kComplete || core->lostByFork())
    return seen;
  if (!core->left_to_host)
    core->startDeferred();
  if (onOneTbbThread())
    core->helpWhoPolls(*this);
  sched_yield();
  return status();
}

Times Node::times() const {
  return {queued.load(std::memory_order_relaxed), submitted.load(std::memory_order_relaxed),
          started.load(std::memory_order_relaxed), ended.load(std::memory_order_relaxed)};
}

void Node::wait() {
  if (!done())
    core->waitFor(*this);
  awaitDueCallbacks();
}

// Waits for the callbacks of all commands of the device. A thread that runs a callback does not wait, because it would
// wait for itself. Neither does an own thread, which may run a native kernel that a callback waits for.
void Node::awaitDueCallbacks() const {
  if (callbacks_running == 0 && !onOwnThread() && !core->lostByFork())
    core->awaitDueCallbacks();
}

// The dependency is counted first, because the other node may complete and count it down at once. The count is undone
// when `other` is done already, or has no memory for the entry.
void Node::dependOn(Node &other) {
  assert(&other != this && "a node that depends on itself is never done");
  [[maybe_unused]] const uint32_t before = pending.fetch_add(1, std::memory_order_relaxed);
  assert(before != 0 && "the node may be running already");
  bool added = false;
  try {
    added = other.addDependant(std::static_pointer_cast<Node>(shared_from_this()));
  } catch (...) {
    pending.fetch_sub(1, std::memory_order_relaxed);
    throw;
  }
  if (added)
    return;
  pending.fetch_sub(1, std::memory_order_relaxed);
  if (other.status() < kComplete)
    failed_dependency.store(true, std::memory_order_relaxed);
}

bool Node::addDependant(NodePtr dependant) {
  if (done())
    return false;
  std::lock_guard lock(mutex);
  if (done())
    return false;
  dependants.push(std::move(dependant));
  return true;
}

bool Node::dependencyDone(bool failed) {
  if (failed)
    failed_dependency.store(true, std::memory_order_relaxed);
  const uint32_t before = pending.fetch_sub(1, std::memory_order_acq_rel);
  assert(before != 0 && "more dependencies are done than the node has");
  return before == 1;
}

void Node::reach(Status status) {
  assert(node_kind == Kind::Command && "markers and user events are done at once");
  assert((status == kSubmitted || status == kRunning) && "finish() sets the final status");
  assert((current.load() == status + 1 || core->lostByFork()) && "a command is queued, then submitted, then runs");
  if (timed)
    (status == kSubmitted ? submitted : started).store(nanoseconds(), std::memory_order_relaxed);
  // Sequentially consistent, as is callback_count: either this thread sees a new callback, or the thread that adds it
  // sees the new status.
  current.store(status);
  announce();
}

bool Node::finish(Status status, OneOrMore<NodePtr> &dependants_of_it) {
  assert(status <= kComplete && "the status is not final");
  assert((node_kind == Kind::User || pending.load() == 0) && "the node ends before its dependencies");
  {
    std::lock_guard lock(mutex);
    if (done())
      return false;
    if (timed)
      stampEnd();
    if (!callbacks.empty()) {
      const DueCallbacks::Token due = core->addDueCallbacks();
      for (Registered &callback : callbacks)
        callback.due = due;
    }
    current.store(status);
    dependants_of_it = std::move(dependants);
    dependants.first.reset();
  }
  core->wakeThoseWaitingFor(*this);
  return true;
}

// Sets the time of the end. A command that failed without running was submitted and started at that time, too.
void Node::stampEnd() {
  const uint64_t now = nanoseconds();
  for (std::atomic<uint64_t> *stamp : {&submitted, &started})
    if (stamp->load(std::memory_order_relaxed) == 0)
      stamp->store(now, std::memory_order_relaxed);
  ended.store(now, std::memory_order_relaxed);
}

void Node::failAfterFork() {
  current.store(kOutOfResources);
}

void Node::onStatus(Status when, Callback callback) {
  assert(when >= kComplete && when < kQueued && callback && "no status that a node reaches");
  {
    std::lock_guard lock(mutex);
    const auto place =
        std::find_if(callbacks.begin(), callbacks.end(), [when](auto &other) { return other.when < when; });
    callbacks.insert(place, {when, std::move(callback), nullptr});
    callback_count.fetch_add(1);
  }
  fireReached();
}

// The own thread that runs this may already be inside a callback or a native kernel, which called clSetUserEventStatus.
// A callback that ended the thread would end that function, too, so the callbacks get another thread.
void Node::announce() {
  if (hasCallbacks() && !((mustNotCallHost() || onOwnThread()) && leaveCallbacksToOwnThread()))
    fireReached();
}

// Runs, on an own thread, the callbacks of a node that were left to such a thread. When a callback ends the thread by
// pthread_exit(), the destructor leaves the remaining callbacks to another one.
class Node::LeftCallbacks {
public:
  explicit LeftCallbacks(Node &of) : node(of) {}
  ~LeftCallbacks() {
    if (!completed) {
      node.left_to_own_thread.store(false);
      if (!node.leaveCallbacksToOwnThread())
        node.fireReached();
    }
  }
  LeftCallbacks(const LeftCallbacks &) = delete;
  LeftCallbacks &operator=(const LeftCallbacks &) = delete;

  // Also runs callbacks that become due meanwhile, so that callbacks keep their order.
  void run() {
    do {
      node.fireReached();
      node.left_to_own_thread.store(false);
    } while (node.anyReached() && !node.left_to_own_thread.exchange(true));
    completed = true;
  }

private:
  Node &node;
  bool completed = false;
};

// Returns false when there is no memory or no thread, or when the node is in its destructor.
bool Node::leaveCallbacksToOwnThread() {
  const auto self = std::static_pointer_cast<Node>(weak_from_this().lock());
  if (!self)
    return false;
  if (left_to_own_thread.exchange(true))
    return true;
  try {
    runOnOwnThread([self] { LeftCallbacks(*self).run(); });
    return true;
  } catch (const std::exception &) {
    left_to_own_thread.store(false);
    return false;
  }
}

bool Node::anyReached() {
  const std::lock_guard lock(mutex);
  return !callbacks.empty() && callbacks.front().when >= current.load();
}

// Takes the next callback that is due. Its `when` becomes the callback's argument: the status it was registered for, or
// the error of a failed command.
std::optional<Node::Registered> Node::takeReached() {
  std::lock_guard lock(mutex);
  const Status status = current.load();
  if (callbacks.empty() || callbacks.front().when < status)
    return std::nullopt;
  Registered reached = std::move(callbacks.front());
  callbacks.erase(callbacks.begin());
  [[maybe_unused]] const uint32_t before = callback_count.fetch_sub(1);
  assert(before == callbacks.size() + 1 && "readers without the lock see another number of callbacks");
  if (status < kComplete)
    reached.when = status;
  return reached;
}

void Node::fireReached() {
  const CallbacksRun run;
  while (const std::optional<Registered> reached = takeReached())
    callGuarded([&] { reached->call(reached->when); }, "an event callback");
}

bool Node::setUserStatus(Status status) {
  if (node_kind != Kind::User || status > kComplete)
    return false;
  Completion completion;
  if (!completion.complete(*this, status))
    return false;
  completion.dispatch();
  return true;
}

} // namespace lanecl::scheduler
