// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One run of a batch, as a node of the dependency graph.
#pragma once

#include "core/node.h"
#include "core/sharing.h"
#include "memory/worker_memory.h"
#include "ndrange/batch.h"

namespace lanecl::scheduler {

// A stage runs as a launch does: on one thread until the time it takes shows that sharing pays off, or at once on all
// free threads when earlier runs have shown it. The last thread to leave a stage goes on with the next one. Therefore
// nothing is handed over between stages and no thread waits there.
class BatchCommand final : public Node {
public:
  BatchCommand(std::shared_ptr<Core> owner, Timing timing, BatchPtr what);

  bool expectedShort() const; // whether earlier runs took less than kShort in all

  std::optional<Status> run() override;
  std::optional<Status> join() override;
  void dropPayload() override { batch.reset(); }
  uint64_t stackBytes() const override { return stack_bytes; }
  bool waitsForOthers() const override { return waits; }

private:
  WorkerMemoryPool::Lease leaseMemory() const;
  std::optional<Status> runStages(const abi::WorkerMemory &worker);
  static Status end(Status status);
  bool leaveStage();
  SuspendedGroups::End runSuspended(const Batch::Stage &current, bool shared);
  uint64_t runAlone(const Batch::Stage &current, const abi::WorkerMemory &worker);
  bool runChunks(const Batch::Stage &current, const abi::WorkerMemory &worker);

  BatchPtr batch;
  // Copies of what the batch says, which are asked for even after dropPayload().
  const uint64_t stack_bytes;
  const bool waits;
  size_t stage = 0;           // number of the current stage; changed only by the last thread in a stage
  SharedGroups groups{*this}; // of the current stage
  WaitingWatch watch;         // of the work-groups that may be suspended
};

} // namespace lanecl::scheduler
