// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How the commands of a queue depend on each other.
#pragma once

#include "core/node.h"

namespace lanecl::scheduler {

// A queue holds no list of its commands.
//
// In order, each command depends on the last one.
//
// Out of order, the commands since the last marker or barrier without a wait list have a common dependant, the join: a
// marker that completes after all of them. A marker or barrier without a wait list closes the join and depends on it.
class DependencyQueue final : public Queue {
public:
  DependencyQueue(std::shared_ptr<Core> owner, Order queue_order, Timing queue_timing,
                  Priority queue_priority = Priority::Medium)
      : core(std::move(owner)), order(queue_order), timing(queue_timing), priority(queue_priority),
        sequence(queue_order == Order::InOrder ? newSequence() : 0) {}

  DependencyPtr enqueue(Work work, const std::vector<DependencyPtr> &wait_list, Start start) override;
  DependencyPtr enqueueHostFunction(Work function, const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr enqueue(Launch launch, const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr enqueue(BatchPtr batch, const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr enqueueMarker(const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr enqueueBarrier(const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr enqueueGate(const std::vector<DependencyPtr> &wait_list) override;
  DependencyPtr pending() override;
  void flush() override;
  void finish() override;

private:
  template <typename LaunchNode>
  DependencyPtr addLaunch(std::shared_ptr<LaunchNode> node, const std::vector<DependencyPtr> &wait_list);
  DependencyPtr add(NodePtr node, const std::vector<DependencyPtr> &wait_list, Start start);
  DependencyPtr addSynchronization(const std::vector<DependencyPtr> &wait_list, bool barrier);
  void link(const NodePtr &node);
  void dependOnAllBefore(Node &node);
  NodePtr closeJoin();
  NodePtr allSoFar();
  NodePtr makeMarker() const;
  static uint64_t newSequence();
  bool refuseAfterFork(Node &node) const;

  const std::shared_ptr<Core> core;
  const Order order;
  const Timing timing;
  const Priority priority;
  const uint64_t sequence; // number of this in-order queue, see Node::sequence(); 0 out of order
  std::mutex mutex;        // guards the nodes below, and makes enqueueing atomic
  NodePtr last;            // in order: the last command
  NodePtr join;            // out of order: not armed, waits for the commands since the last join was closed
  NodePtr closed;          // out of order: the join that was closed last
  NodePtr barrier;         // out of order: the last barrier
};

} // namespace lanecl::scheduler
