// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/batch_command.h"

#include "printf/printf.h"
#include "threads/floating_point.h"
#include "threads/stack.h"

#include <algorithm>
#include <cassert>

namespace lanecl::scheduler {

BatchCommand::BatchCommand(std::shared_ptr<Core> owner, Timing timing, BatchPtr what)
    : Node(std::move(owner), Kind::Command, timing), batch(std::move(what)),
      stack_bytes(std::max(batch->stackBytes(), kLeastStackBytes)), waits(batch->waits()) {}

bool BatchCommand::expectedShort() const {
  double nanoseconds = 0;
  for (const Batch::Stage &current : batch->stages()) {
    const double group = current.history.groupNanoseconds();
    nanoseconds += group * static_cast<double>(current.groups());
    if (nanoseconds >= kShort || (group == 0 && current.groups() != 0))
      return false;
  }
  return true;
}

WorkerMemoryPool::Lease BatchCommand::leaseMemory() const {
  return {owner().workerMemory(), batch->localBytes(), batch->scratchBytes(), {}};
}

std::optional<Status> BatchCommand::run() {
  if (stackLeft() < stackBytes())
    return kOutOfResources;
  const WorkerMemoryPool::Lease lease = leaseMemory();
  if (!lease)
    return kOutOfResources;
  const DefaultFloatingPoint floating_point;
  return runStages(lease.memory());
}

std::optional<Status> BatchCommand::join() {
  assert(batch && stage < batch->stages().size() && "threads join a batch only while a stage of it runs");
  if (stackLeft() >= stackBytes()) {
    const WorkerMemoryPool::Lease lease = leaseMemory();
    if (lease) {
      const DefaultFloatingPoint floating_point;
      const Batch::Stage &current = batch->stages()[stage];
      if (current.waiting != nullptr) {
        if (runSuspended(current, true) == SuspendedGroups::End::SteppedAside || !leaveStage())
          return std::nullopt;
        if (groups.anyLeft())
          return end(kOutOfResources);
      } else if (!runChunks(current, lease.memory()) || !leaveStage()) {
        return std::nullopt;
      }
      return runStages(lease.memory());
    }
  }
  // A thread without enough stack or memory leaves the work to the others. If it is the last one, the command fails.
  return leaveStage() ? std::optional(end(kOutOfResources)) : std::nullopt;
}

std::optional<Status> BatchCommand::runStages(const abi::WorkerMemory &worker) {
  while (stage != batch->stages().size()) {
    const Batch::Stage &current = batch->stages()[stage];
    groups.begin(current.groups());
    if (current.waiting != nullptr) {
      const bool shared = groups.canBeShared();
      if (shared)
        groups.share(0, owner().threads());
      if (runSuspended(current, shared) == SuspendedGroups::End::SteppedAside || (shared && !leaveStage()))
        return std::nullopt;
      if (groups.anyLeft())
        return end(kOutOfResources);
      stage += shared ? 0 : 1;
      continue;
    }
    const uint64_t done = runAlone(current, worker);
    if (done == groups.count()) {
      ++stage;
      continue;
    }
    groups.share(done, owner().threads());
    if (!runChunks(current, worker) || !leaveStage())
      return std::nullopt;
  }
  return end(kComplete);
}

// Writes out what the work-groups have printed, also if the batch fails. Returns the status.
Status BatchCommand::end(Status status) {
  flushOutput();
  return status;
}

// Returns true for the last thread to leave: the stage is done.
bool BatchCommand::leaveStage() {
  if (!owner().leaveShared(*this))
    return false;
  assert(stage < batch->stages().size() && "two threads have left the stage as the last one");
  ++stage;
  return true;
}

// Runs groups on this thread alone and returns how many are done. That is none if earlier runs have shown that sharing
// pays off, or if the thread is called away.
uint64_t BatchCommand::runAlone(const Batch::Stage &current, const abi::WorkerMemory &worker) {
  const uint64_t total = groups.count();
  if (total == 0)
    return 0;
  const bool measured = current.history.measureNext();
  const double known = measured ? 0 : current.history.groupNanoseconds();
  // A thread that is called away shares the stage and then leaves it in runChunks().
  if (owner().calledAway(*this) || (groups.canBeShared() && groups.worthSharing(known, total))) {
    groups.prepareChunks(known != 0 ? known : kShort, total);
    return 0;
  }
  return groups.runAlone(groups.canBeShared() && known == 0 ? SharedGroups::kTrial : 0, measured, &current.history,
                         [&](uint64_t first, uint64_t end) { current.run(worker, first, end); });
}

SuspendedGroups::End BatchCommand::runSuspended(const Batch::Stage &current, bool shared) {
  const auto take = [&]() -> std::optional<GroupToRun> {
    const std::optional<uint64_t> group = groups.takeOne();
    return group ? std::optional(current.toRun(*group)) : std::nullopt;
  };
  assert(current.waiting != nullptr && "the work-groups of this stage cannot be suspended");
  SuspendedGroups mine(*current.waiting, watch, owner().threads() == 1);
  return mine.run(
      {batch->localBytes(), batch->scratchBytes()}, take, [&] { return shared && groups.hasToStepAside(); },
      [&] { return owner().hasMoreUrgent(priority()); });
}

bool BatchCommand::runChunks(const Batch::Stage &current, const abi::WorkerMemory &worker) {
  return groups.runChunks([&](uint64_t first, uint64_t end) { current.run(worker, first, end); });
}

} // namespace lanecl::scheduler
