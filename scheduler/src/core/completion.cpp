// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/completion.h"

#include "core/core.h"
#include "core/place.h"

#include <cassert>
#include <utility>

namespace lanecl::scheduler {

bool Completion::complete(Node &node, Status status) {
  assert(status <= kComplete && "a command that ends has a final status");
  const bool first = finish(node, status);
  assert((!first || first_called == nullptr) && "one Completion is for one command and what follows from its end");
  if (first && node.hasCallbacks())
    first_called = &node;
  drain();
  return first;
}

void Completion::drain() {
  while (NodePtr node = finished.pop()) {
    node->dropPayload();
    finish(*node, node->dependencyFailed() ? kWaitListFailed : kComplete);
    if (node->hasCallbacks())
      called.push(std::move(node));
  }
}

bool Completion::finish(Node &node, Status status) {
  OneOrMore<NodePtr> dependants;
  if (!node.finish(status, dependants))
    return false;
  dependants.forEach([&](NodePtr &dependant) {
    if (dependant->dependencyDone(status < kComplete))
      add(std::move(dependant));
  });
  return true;
}

// Puts a node whose last dependency is done into the list that fits: `finished` if it completes or fails without
// running, `ready` otherwise.
void Completion::add(NodePtr node) {
  assert(node->kind() != Node::Kind::User && "a user event depends on nothing");
  assert(!node->done() && "a node was complete before its dependencies");
  if (node->dependencyFailed() || node->kind() == Node::Kind::Marker)
    finished.push(std::move(node));
  else
    ready.push(std::move(node));
}

void Completion::resolve(NodePtr node) {
  add(std::move(node));
  drain();
}

NodePtr Completion::dispatch(Core *here) {
  NodePtr next;
  // Callbacks may block. If there are any, no ready command is kept for this thread, because it would wait for them.
  const bool may_keep = here != nullptr && first_called == nullptr && called.empty() && here->idle();
  NodeList with_callbacks;
  while (NodePtr node = ready.pop()) {
    if (node->hasCallbacks()) {
      with_callbacks.push(std::move(node));
      continue;
    }
    node->reach(kSubmitted);
    if (may_keep && !next && &node->owner() == here && mayRunHere(*node))
      next = std::move(node);
    else
      node->owner().submit(node); // a copy: the node owns the core, and may be run and freed during the call
  }
  while (const NodePtr node = with_callbacks.pop()) {
    if (next)
      next->owner().submit(std::exchange(next, nullptr));
    node->reach(kSubmitted);
    node->owner().submit(node);
  }
  if (first_called != nullptr)
    first_called->announce();
  while (const NodePtr node = called.pop())
    node->announce();
  return next;
}

} // namespace lanecl::scheduler
