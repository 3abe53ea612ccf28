// A function as a node of the dependency graph: reads, writes, copies, native kernels.
#pragma once

#include "node.h"

namespace lanecl::scheduler {

class WorkCommand final : public Node {
public:
  enum class Calls : uint8_t { Nothing, Host }; // whether code of the program's runs in it

  WorkCommand(std::shared_ptr<Core> owner, Timing timing, Work what, Calls who)
      : Node(std::move(owner), Kind::Command, timing), work(std::move(what)), calls(who) {}

  std::optional<Status> run() override {
    const Status status = work();
    return status > kComplete ? kOutOfResources : status; // anything else would never end
  }
  void dropPayload() override { work = nullptr; }
  bool callsHost() const override { return calls == Calls::Host; }

private:
  Work work;
  const Calls calls;
};

} // namespace lanecl::scheduler
