// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A function as a node of the dependency graph: a read, write or copy, or a native kernel.
#pragma once

#include "core/node.h"

namespace lanecl::scheduler {

class WorkCommand final : public Node {
public:
  enum class Calls : uint8_t { Nothing, Host }; // whether it runs code of the host program

  WorkCommand(std::shared_ptr<Core> owner, Timing timing, Work what, Calls which)
      : Node(std::move(owner), Kind::Command, timing), work(std::move(what)), calls(which) {}

  std::optional<Status> run() override {
    const Status status = work();
    // Any other status would leave the command incomplete for ever.
    return status > kComplete ? kOutOfResources : status;
  }
  void dropPayload() override { work = nullptr; }
  bool callsHost() const override { return calls == Calls::Host; }

private:
  Work work;
  const Calls calls;
};

} // namespace lanecl::scheduler
