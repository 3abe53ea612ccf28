// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One run of a batch as a node of the dependency graph.
#pragma once

#include "core/node.h"
#include "core/sharing.h"
#include "memory/worker_memory.h"
#include "ndrange/batch.h"

namespace lanecl::scheduler {

// A stage runs like a launch: on one thread, until the time it takes shows that sharing pays off, or at once on all
// free threads when earlier runs have shown it. The last thread to leave a stage goes on with the next one, so between
// stages nothing is handed over and no thread waits.
class BatchCommand final : public Node {
public:
  BatchCommand(std::shared_ptr<Core> owner, Timing timing, BatchPtr what);

  bool expectedShort() const; // judged by earlier runs

  std::optional<Status> run() override;
  std::optional<Status> join() override;
  void dropPayload() override { batch.reset(); }
  uint64_t stackBytes() const override { return stack_bytes; }
  bool waitsForOthers() const override { return waits; }

private:
  WorkerMemoryPool::Lease leaseMemory() const;
  std::optional<Status> runStages(const abi::WorkerMemory &worker);
  bool leaveStage();
  SuspendedGroups::End runSuspended(const Batch::Stage &current, bool shared);
  uint64_t runAlone(const Batch::Stage &current, const abi::WorkerMemory &worker);
  bool runChunks(const Batch::Stage &current, const abi::WorkerMemory &worker);

  BatchPtr batch;
  const uint64_t stack_bytes; // outlives the batch
  const bool waits;           // does, too
  size_t stage = 0;           // changed by the last thread in the stage
  SharedGroups groups{*this}; // of the stage
  WaitingWatch watch;         // of its work-groups that may be suspended
};

} // namespace lanecl::scheduler
