// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/node.h"

#include "core/completion.h"
#include "core/core.h"
#include "core/place.h"
#include "core/work_command.h"
#include "threads/affinity.h"

#include <algorithm>
#include <cstdio>
#include <sched.h>

namespace lanecl::scheduler {

namespace {

// Runs a callback of the host program, whose exceptions must not reach the scheduler. It may block for a lock that a
// thread holds while that waits for a command. So it has no place meanwhile: several callbacks could have all of them.
void callGuarded(const Callback &callback, Status status) {
  const ScopedOwnAffinity own;
  const Lending lending;
  try {
    callback(status);
  } catch (...) {
    std::fputs("LaneCL: an event callback threw an exception; it was dropped\n", stderr);
  }
}

} // namespace

Node::Node(std::shared_ptr<Core> owner, Kind kind, Timing timing)
    : core(std::move(owner)), node_kind(kind), timed(timing == Timing::On), queued(timed ? nanoseconds() : 0) {
  if (kind == Kind::User)
    current.store(kSubmitted, std::memory_order_relaxed);
}

// A user event that is destroyed without a status would keep its dependants waiting for ever: they fail instead.
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
}

// Counted before the other node can complete and count down; undone when there is no memory for the entry there.
void Node::dependOn(Node &other) {
  pending.fetch_add(1, std::memory_order_relaxed);
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
  return pending.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

void Node::reach(Status status) {
  if (timed)
    (status == kSubmitted ? submitted : started).store(nanoseconds(), std::memory_order_relaxed);
  current.store(status); // sequentially consistent with callback_count: one of the two sides sees the other
  announce();
}

bool Node::finish(Status status, OneOrMore<NodePtr> &dependants_of_it) {
  {
    std::lock_guard lock(mutex);
    if (done())
      return false;
    if (timed)
      stampEnd();
    current.store(status);
    dependants_of_it = std::move(dependants);
    dependants.first.reset();
  }
  current.notify_all();
  return true;
}

// A command that failed without running was submitted, started and ended at once.
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

void Node::sleepUntilDone() const {
  for (Status seen = current.load(); seen > kComplete; seen = current.load())
    current.wait(seen);
}

void Node::onStatus(Status when, Callback callback) {
  {
    std::lock_guard lock(mutex);
    const auto place =
        std::find_if(callbacks.begin(), callbacks.end(), [when](auto &other) { return other.first < when; });
    callbacks.emplace(place, when, std::move(callback));
    callback_count.fetch_add(1);
  }
  fireReached();
}

void Node::announce() {
  if (hasCallbacks() && !(threadWaits() && leaveCallbacksToWorker()))
    fireReached();
}

// False when there is no memory, or the node is in its destructor.
bool Node::leaveCallbacksToWorker() {
  const auto self = std::static_pointer_cast<Node>(weak_from_this().lock());
  if (!self)
    return false;
  try {
    auto calls = std::allocate_shared<WorkCommand>(
        CommandAllocator<WorkCommand>(), core, Timing::Off, [self] { return self->fireReached(), kComplete; },
        WorkCommand::Calls::Host);
    calls->setPriority(urgency);
    core->submit(std::move(calls));
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

// The next callback that is due, with its argument: the status it was registered for, or a failed command's error.
std::optional<std::pair<Status, Callback>> Node::takeReached() {
  std::lock_guard lock(mutex);
  const Status status = current.load();
  if (callbacks.empty() || callbacks.front().first < status)
    return std::nullopt;
  std::pair<Status, Callback> reached = std::move(callbacks.front());
  callbacks.erase(callbacks.begin());
  callback_count.fetch_sub(1);
  if (status < kComplete)
    reached.first = status;
  return reached;
}

void Node::fireReached() {
  while (const std::optional<std::pair<Status, Callback>> reached = takeReached())
    callGuarded(reached->second, reached->first);
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
