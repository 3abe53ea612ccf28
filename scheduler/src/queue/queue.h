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
class CommandQueue final : public Queue {
public:
  CommandQueue(std::shared_ptr<Core> owner, Order queue_order, Timing queue_timing,
               Priority queue_priority = Priority::Medium)
      : core(std::move(owner)), order(queue_order), timing(queue_timing), priority(queue_priority),
        sequence(queue_order == Order::InOrder ? newSequence() : 0) {}

  EventPtr enqueue(Work work, const std::vector<EventPtr> &wait_list, Start start) override;
  EventPtr enqueueHostFunction(Work function, const std::vector<EventPtr> &wait_list) override;
  EventPtr enqueue(Launch launch, const std::vector<EventPtr> &wait_list) override;
  EventPtr enqueue(BatchPtr batch, const std::vector<EventPtr> &wait_list) override;
  EventPtr enqueueMarker(const std::vector<EventPtr> &wait_list) override;
  EventPtr enqueueBarrier(const std::vector<EventPtr> &wait_list) override;
  EventPtr enqueueGate(const std::vector<EventPtr> &wait_list) override;
  EventPtr pending() override;
  void flush() override;
  void finish() override;

private:
  template <typename LaunchNode>
  EventPtr addLaunch(std::shared_ptr<LaunchNode> node, const std::vector<EventPtr> &wait_list);
  EventPtr add(NodePtr node, const std::vector<EventPtr> &wait_list, Start start);
  EventPtr addSynchronization(const std::vector<EventPtr> &wait_list, bool barrier);
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
