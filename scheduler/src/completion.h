// What follows from a command's end: dependants that become ready, fail or complete with it, and callbacks.
#pragma once

#include "node.h"

namespace lanecl::scheduler {

// Collects first and acts afterwards, so that user code runs under no lock and after every dependant was handed on:
// a callback may wait for any of them. A chain of any length is a loop here, never a recursion. Nothing of it needs
// memory, so that no command is left waiting when there is none.
class Completion {
public:
  // False when the node was complete before. The node lives until dispatch() has returned.
  bool complete(Node &node, Status status);
  // A node whose last dependency is done.
  void resolve(NodePtr node);
  // Submits what became ready and runs the callbacks. Returns a command that the caller may run next on `here`
  // without the detour over its ready list, or null.
  NodePtr dispatch(Core *here = nullptr);

private:
  bool finish(Node &node, Status status);
  void drain();
  void add(NodePtr node);

  NodeList ready;
  NodeList finished; // complete without running, dependants not yet visited
  // With callbacks: the one that was completed from outside, which may have no owner any more, and what followed.
  Node *first_called = nullptr;
  NodeList called;
};

} // namespace lanecl::scheduler
