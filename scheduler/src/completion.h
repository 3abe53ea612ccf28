// What follows from a command's end: dependants that become ready, fail or complete with it, and callbacks.
#pragma once

#include "node.h"

namespace lanecl::scheduler {

// Collects first and acts afterwards, so that user code runs under no lock and after every dependant was handed on:
// a callback may wait for any of them. A chain of any length is a loop here, never a recursion.
class Completion {
public:
  // False when the node was complete before.
  bool complete(Node &node, Status status);
  // A node whose last dependency is done.
  void resolve(NodePtr node);
  // Submits what became ready and runs the callbacks. Returns a command that the caller may run next on `here`
  // without the detour over its ready list, or null.
  NodePtr dispatch(Core *here = nullptr);

private:
  bool finish(Node &node, Status status);
  void drain();

  struct Called {
    Callback callback;
    Status status;
  };
  OneOrMore<NodePtr> ready;
  std::vector<std::pair<NodePtr, Status>> finished; // complete without running, dependants not yet visited
  std::vector<Called> calls;
};

} // namespace lanecl::scheduler
