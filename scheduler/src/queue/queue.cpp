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

// Every Dependency is a Node, so the cast is safe.
Node &nodeOf(const DependencyPtr &dependency) {
  assert(dynamic_cast<const Node *>(dependency.get()) != nullptr && "wait lists hold nodes of this scheduler");
  return static_cast<Node &>(*dependency);
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

uint64_t DependencyQueue::newSequence() {
  static std::atomic<uint64_t> newest{0};
  return ++newest;
}

NodePtr DependencyQueue::makeMarker() const {
  return makeNode<Node>(core, Node::Kind::Marker, timing);
}

DependencyPtr DependencyQueue::enqueue(Work work, const std::vector<DependencyPtr> &wait_list, Start start) {
  return add(makeNode<WorkCommand>(core, timing, std::move(work), WorkCommand::Calls::Nothing), wait_list, start);
}

DependencyPtr DependencyQueue::enqueueHostFunction(Work function, const std::vector<DependencyPtr> &wait_list) {
  return add(makeNode<WorkCommand>(core, timing, std::move(function), WorkCommand::Calls::Host), wait_list, Start::Now);
}

DependencyPtr DependencyQueue::enqueue(Launch launch, const std::vector<DependencyPtr> &wait_list) {
  return addLaunch(makeNode<LaunchCommand>(core, timing, std::move(launch)), wait_list);
}

DependencyPtr DependencyQueue::enqueue(BatchPtr batch, const std::vector<DependencyPtr> &wait_list) {
  return addLaunch(makeNode<BatchCommand>(core, timing, std::move(batch)), wait_list);
}

template <typename LaunchNode>
DependencyPtr DependencyQueue::addLaunch(std::shared_ptr<LaunchNode> node,
                                         const std::vector<DependencyPtr> &wait_list) {
  // Out of order there may be many short commands, which several threads should run.
  const Start start = order == Order::InOrder && node->expectedShort() ? Start::Deferred : Start::Now;
  return add(std::move(node), wait_list, start);
}

void DependencyQueue::flush() {
  if (!core->lostByFork() && !core->left_to_host)
    core->startDeferred();
}

// Makes a command fail in a process that was forked after the device had started to work. Returns true in that case.
bool DependencyQueue::refuseAfterFork(Node &node) const {
  core->begin();
  if (!core->lostByFork())
    return false;
  warnLostByFork();
  node.failAfterFork();
  return true;
}

// Gives the node its dependencies and lets it go. Deferred commands start if this one has to start now, because it may
// depend on them.
DependencyPtr DependencyQueue::add(NodePtr node, const std::vector<DependencyPtr> &wait_list, Start start) {
  if (refuseAfterFork(*node))
    return node;
  if (start == Start::Now && core->left_to_host)
    start = Start::Deferred;
  assert(node->kind() != Node::Kind::User && "a user event belongs to no queue");
  node->setPriority(priority);
  {
    std::lock_guard lock(mutex);
    for (const DependencyPtr &dependency : wait_list)
      node->dependOn(nodeOf(dependency));
    link(node);
  }
  armAndDispatch(node, start);
  if (start == Start::Now)
    core->startDeferred();
  return node;
}

// Makes the node depend on what precedes it in the queue. Called with the lock held.
void DependencyQueue::link(const NodePtr &node) {
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
NodePtr DependencyQueue::closeJoin() {
  if (!join)
    return nullptr;
  if (closed)
    join->dependOn(*closed);
  closed = join;
  return std::exchange(join, nullptr);
}

DependencyPtr DependencyQueue::enqueueMarker(const std::vector<DependencyPtr> &wait_list) {
  return addSynchronization(wait_list, false);
}

DependencyPtr DependencyQueue::enqueueBarrier(const std::vector<DependencyPtr> &wait_list) {
  return addSynchronization(wait_list, true);
}

DependencyPtr DependencyQueue::enqueueGate(const std::vector<DependencyPtr> &wait_list) {
  return add(makeMarker(), wait_list, Start::Deferred);
}

DependencyPtr DependencyQueue::addSynchronization(const std::vector<DependencyPtr> &wait_list, bool is_barrier) {
  NodePtr marker = makeMarker();
  if (order == Order::InOrder || refuseAfterFork(*marker))
    return marker->done() ? marker : add(std::move(marker), wait_list, Start::Deferred);
  NodePtr to_arm;
  try {
    std::lock_guard lock(mutex);
    for (const DependencyPtr &dependency : wait_list)
      marker->dependOn(nodeOf(dependency));
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

void DependencyQueue::dependOnAllBefore(Node &node) {
  if (closed)
    node.dependOn(*closed);
}

// Returns a node that completes after everything enqueued so far, or null when nothing was.
NodePtr DependencyQueue::allSoFar() {
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

DependencyPtr DependencyQueue::pending() {
  NodePtr all = core->lostByFork() ? nullptr : allSoFar();
  return all && !all->done() ? all : nullptr;
}

void DependencyQueue::finish() {
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
