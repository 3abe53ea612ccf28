// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "queue/queue.h"

#include "core/completion.h"
#include "core/core.h"
#include "core/work_command.h"
#include "ndrange/batch_command.h"
#include "ndrange/launch_command.h"
#include "scheduler/command_memory.h"
#include "threads/fork.h"

#include <atomic>
#include <cassert>
#include <utility>

namespace lanecl::scheduler {

namespace {

template <typename T, typename... Args> std::shared_ptr<T> makeNode(Args &&...args) {
  return std::allocate_shared<T>(CommandAllocator<T>(), std::forward<Args>(args)...);
}

// Every Event is a Node, so the cast is safe.
Node &nodeOf(const EventPtr &event) {
  assert(dynamic_cast<const Node *>(event.get()) != nullptr && "wait lists hold events of this scheduler");
  return static_cast<Node &>(*event);
}

// Lets a node go that has got all its dependencies. If they are done, the node is submitted or, as a marker, completes.
void armAndDispatch(const NodePtr &node, Start start = Start::Now) {
  if (!node->arm())
    return;
  if (start != Start::Now && node->kind() == Node::Kind::Command && !node->dependencyFailed()) {
    node->reach(kSubmitted);
    node->owner().submit(node, start);
    return;
  }
  Completion completion;
  completion.resolve(node);
  completion.dispatch();
}

} // namespace

uint64_t CommandQueue::newSequence() {
  static std::atomic<uint64_t> newest{0};
  return ++newest;
}

NodePtr CommandQueue::makeMarker() const {
  return makeNode<Node>(core, Node::Kind::Marker, timing);
}

EventPtr CommandQueue::enqueue(Work work, const std::vector<EventPtr> &wait_list, Start start) {
  return add(makeNode<WorkCommand>(core, timing, std::move(work), WorkCommand::Calls::Nothing), wait_list, start);
}

EventPtr CommandQueue::enqueueHostFunction(Work function, const std::vector<EventPtr> &wait_list) {
  return add(makeNode<WorkCommand>(core, timing, std::move(function), WorkCommand::Calls::Host), wait_list, Start::Now);
}

EventPtr CommandQueue::enqueue(Launch launch, const std::vector<EventPtr> &wait_list) {
  return addLaunch(makeNode<LaunchCommand>(core, timing, std::move(launch)), wait_list);
}

EventPtr CommandQueue::enqueue(BatchPtr batch, const std::vector<EventPtr> &wait_list) {
  return addLaunch(makeNode<BatchCommand>(core, timing, std::move(batch)), wait_list);
}

template <typename LaunchNode>
EventPtr CommandQueue::addLaunch(std::shared_ptr<LaunchNode> node, const std::vector<EventPtr> &wait_list) {
  // Out of order there may be many short commands, which several threads should run.
  const Start start = order == Order::InOrder && node->expectedShort() ? Start::Deferred : Start::Now;
  return add(std::move(node), wait_list, start);
}

void CommandQueue::flush() {
  if (!core->lostByFork() && !core->left_to_host)
    core->startDeferred();
}

// Makes a command fail in a process that was forked after the device had started to work. Returns true in that case.
bool CommandQueue::refuseAfterFork(Node &node) const {
  core->begin();
  if (!core->lostByFork())
    return false;
  warnLostByFork();
  node.failAfterFork();
  return true;
}

// Gives the node its dependencies and lets it go. Deferred commands start if this one has to start now, because it may
// depend on them.
EventPtr CommandQueue::add(NodePtr node, const std::vector<EventPtr> &wait_list, Start start) {
  if (refuseAfterFork(*node))
    return node;
  if (start == Start::Now && core->left_to_host)
    start = Start::Deferred;
  assert(node->kind() != Node::Kind::User && "a user event belongs to no queue");
  node->setPriority(priority);
  {
    std::lock_guard lock(mutex);
    for (const EventPtr &event : wait_list)
      node->dependOn(nodeOf(event));
    link(node);
  }
  armAndDispatch(node, start);
  if (start == Start::Now)
    core->startDeferred();
  return node;
}

// Makes the node depend on what precedes it in the queue. Called with the lock held.
void CommandQueue::link(const NodePtr &node) {
  if (order == Order::InOrder) {
    if (last)
      node->dependOn(*last);
    node->setSequence(sequence);
    last = node;
    return;
  }
  if (barrier)
    node->dependOn(*barrier);
  if (!join)
    join = makeMarker();
  join->dependOn(*node);
}

// Closes the join: it becomes `closed`, and completes after the join before it. The caller has to arm it. Returns null
// when no command came since the last one.
NodePtr CommandQueue::closeJoin() {
  if (!join)
    return nullptr;
  if (closed)
    join->dependOn(*closed);
  closed = join;
  return std::exchange(join, nullptr);
}

EventPtr CommandQueue::enqueueMarker(const std::vector<EventPtr> &wait_list) {
  return addSynchronization(wait_list, false);
}

EventPtr CommandQueue::enqueueBarrier(const std::vector<EventPtr> &wait_list) {
  return addSynchronization(wait_list, true);
}

EventPtr CommandQueue::enqueueGate(const std::vector<EventPtr> &wait_list) {
  return add(makeMarker(), wait_list, Start::Deferred);
}

EventPtr CommandQueue::addSynchronization(const std::vector<EventPtr> &wait_list, bool is_barrier) {
  NodePtr marker = makeMarker();
  if (order == Order::InOrder || refuseAfterFork(*marker))
    return marker->done() ? marker : add(std::move(marker), wait_list, Start::Deferred);
  NodePtr to_arm;
  try {
    std::lock_guard lock(mutex);
    for (const EventPtr &event : wait_list)
      marker->dependOn(nodeOf(event));
    if (wait_list.empty()) {
      to_arm = closeJoin();
      dependOnAllBefore(*marker);
    }
    link(marker);
    if (is_barrier)
      barrier = marker;
  } catch (...) { // there is no marker, but other commands may wait for the join that was closed, so it must be armed
    if (to_arm)
      armAndDispatch(to_arm);
    throw;
  }
  if (to_arm)
    armAndDispatch(to_arm);
  armAndDispatch(marker);
  return marker;
}

void CommandQueue::dependOnAllBefore(Node &node) {
  if (closed)
    node.dependOn(*closed);
}

// Returns a node that completes after everything enqueued so far, or null when nothing was.
NodePtr CommandQueue::allSoFar() {
  NodePtr all, to_arm;
  {
    std::lock_guard lock(mutex);
    if (order == Order::InOrder)
      return last;
    to_arm = closeJoin();
    all = closed;
  }
  if (to_arm)
    armAndDispatch(to_arm);
  return all;
}

EventPtr CommandQueue::pending() {
  NodePtr all = core->lostByFork() ? nullptr : allSoFar();
  return all && !all->done() ? all : nullptr;
}

void CommandQueue::finish() {
  if (core->lostByFork())
    return warnLostByFork();
  const NodePtr all = allSoFar();
  if (!all)
    return;
  all->wait();
  std::lock_guard lock(mutex);
  for (NodePtr *node : {&last, &closed, &barrier})
    if (*node && (*node)->done())
      node->reset(); // so that later commands do not depend on a failed one
}

} // namespace lanecl::scheduler
