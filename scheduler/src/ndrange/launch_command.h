// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An NDRange, as a node of the dependency graph.
#pragma once

#include "core/node.h"
#include "core/sharing.h"
#include "memory/worker_memory.h"
#include "ndrange/ndrange.h"
#include "ndrange/suspended_groups.h"

namespace lanecl::scheduler {

// Threads join a launch and leave it without waiting for each other. The last thread to leave completes the command.
class LaunchCommand final : public Node {
public:
  LaunchCommand(std::shared_ptr<Core> owner, Timing timing, Launch launch);

  bool expectedShort() const; // whether earlier launches make less than kShort likely

  std::optional<Status> run() override;
  std::optional<Status> join() override;
  void dropPayload() override;
  uint64_t stackBytes() const override;
  bool waitsForOthers() const override { return launch.waiting != nullptr; }

private:
  WorkerMemoryPool::Lease leaseMemory() const;
  abi::LaunchInfo infoFor(const WorkerMemoryPool::Lease &lease) const;
  std::optional<Status> leave();
  std::optional<Status> runSuspended();
  SuspendedGroups::End runSuspendedPart(bool shared);
  uint64_t runAlone(const abi::LaunchInfo &info, const abi::WorkerMemory &worker);
  // Returns false when the thread has stepped aside.
  bool runChunks(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, bool measure_first);

  Launch launch;
  std::optional<NdRange> range;
  SharedGroups groups{*this};
  const bool measured;   // whether this launch's time goes to the history
  bool compares = false; // whether one thread is compared with several, see LaunchHistory::noteAlone()
  WaitingWatch watch;    // of the work-groups that may be suspended
};

} // namespace lanecl::scheduler
