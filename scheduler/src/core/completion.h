// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What follows from a command's end: dependants that become ready, fail or complete with it, and callbacks.
#pragma once

#include "core/node.h"

namespace lanecl::scheduler {

// Collects dependants first and submits them afterwards, so that callbacks run with no lock held and after every
// dependant was submitted: a callback may wait for any of them. A chain of dependants is followed in a loop, not by
// recursion. Nothing here allocates memory, so that no command is left waiting for lack of it.
class Completion {
public:
  // False when the node was complete before. The node lives until dispatch() has returned.
  bool complete(Node &node, Status status);
  // A node whose last dependency is done.
  void resolve(NodePtr node);
  // Submits what became ready and runs the callbacks. Returns a command that the caller may run next on `here`
  // without a detour through its ready list, or null.
  NodePtr dispatch(Core *here = nullptr);

private:
  bool finish(Node &node, Status status);
  void drain();
  void add(NodePtr node);

  NodeList ready;
  NodeList finished; // complete without running, dependants not yet visited
  // Nodes with callbacks: the one given to complete(), which may be in its destructor, and those completed by it.
  Node *first_called = nullptr;
  NodeList called;
};

} // namespace lanecl::scheduler
