// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What follows from the end of a command: dependants become ready, fail or complete with it, and callbacks are called.
#pragma once

#include "core/node.h"

namespace lanecl::scheduler {

// First collects the dependants and then submits them. Callbacks are called after that with no lock held, because a
// callback may wait for any of the dependants. A chain of dependants is followed in a loop, not by recursion. Nothing
// here allocates memory, so no command is left waiting for lack of it.
class Completion {
public:
  // Completes the node. Returns false when it was complete before. The node must live until dispatch() has returned.
  bool complete(Node &node, Status status);
  // Takes a node whose last dependency is done.
  void resolve(NodePtr node);
  // Submits what became ready and calls the callbacks. Returns a command that the caller may run next on `here` without
  // putting it on the ready list first, or null.
  NodePtr dispatch(Core *here = nullptr);

private:
  bool finish(Node &node, Status status);
  void drain();
  void add(NodePtr node);

  NodeList ready;
  NodeList finished; // nodes that complete or fail without running and whose dependants are not yet visited
  // Nodes with callbacks: the node given to complete(), which may be in its destructor and so has no owner, and the
  // nodes that were completed by it.
  Node *first_called = nullptr;
  NodeList called;
};

} // namespace lanecl::scheduler
