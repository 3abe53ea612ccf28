// A host function as a node of the dependency graph: reads, writes, copies, native kernels.
#pragma once

#include "node.h"

#include <cstdio>
#include <new>

namespace lanecl::scheduler {

class WorkCommand final : public Node {
public:
  WorkCommand(std::shared_ptr<Core> owner, Timing timing, Work what)
      : Node(std::move(owner), Kind::Command, timing), work(std::move(what)) {}

  std::optional<Status> run() override {
    try {
      const Status status = work();
      return status > kComplete ? kOutOfResources : status; // anything else would never end
    } catch (const std::bad_alloc &) {
      return kOutOfHostMemory;
    } catch (...) {
      std::fputs("LaneCL: a command threw an exception; it failed\n", stderr);
      return kOutOfResources;
    }
  }
  void dropPayload() override { work = nullptr; }

private:
  Work work;
};

} // namespace lanecl::scheduler
