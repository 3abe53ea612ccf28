// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/launch_command.h"

#include "printf/printf.h"
#include "threads/floating_point.h"
#include "threads/stack.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanecl::scheduler {

LaunchCommand::LaunchCommand(std::shared_ptr<Core> owner, Timing timing, Launch what)
    : Node(std::move(owner), Kind::Command, timing), launch(std::move(what)), range(NdRange::of(launch)),
      measured(launch.history != nullptr && launch.history->measureNext()) {
  groups.begin(range ? range->groups() : 0);
  compares = measured && launch.updates_atomically && this->owner().threads() > 1 &&
             groups.worthComparing(launch.history->groupNanoseconds());
  if (!launch.info.services) // a caller may bring services of its own, for example to drop what the kernel prints
    launch.info.services = &kServices;
}

bool LaunchCommand::expectedShort() const {
  const double group = launch.history != nullptr ? launch.history->groupNanoseconds() : 0;
  return group > 0 && group * static_cast<double>(groups.count()) < kShort;
}

uint64_t LaunchCommand::stackBytes() const {
  return std::max(launch.stack_bytes, kLeastStackBytes);
}

void LaunchCommand::dropPayload() {
  launch.keep_alive.reset();
  launch.arguments = {};
}

WorkerMemoryPool::Lease LaunchCommand::leaseMemory() const {
  return {owner().workerMemory(), launch.local_bytes, launch.scratch_bytes, launch.arguments};
}

abi::LaunchInfo LaunchCommand::infoFor(const WorkerMemoryPool::Lease &lease) const {
  assert(launch.info.services != nullptr && "kernels call the services without looking");
  abi::LaunchInfo info = launch.info;
  info.arguments = lease.arguments();
  return info;
}

std::optional<Status> LaunchCommand::run() {
  if (!range)
    return kInvalidWorkGroupSize;
  if (groups.count() == 0)
    return kComplete;
  if (stackLeft() < stackBytes())
    return kOutOfResources;
  if (launch.waiting != nullptr)
    return runSuspended();
  {
    const WorkerMemoryPool::Lease lease = leaseMemory();
    if (!lease)
      return kOutOfResources;
    const DefaultFloatingPoint floating_point;
    const abi::LaunchInfo info = infoFor(lease);
    const uint64_t done = runAlone(info, lease.memory());
    if (done == groups.count()) {
      flushOutput();
      return kComplete;
    }
    const bool hinder =
        launch.history != nullptr && launch.updates_atomically && !compares && launch.history->threadsHinderEachOther();
    groups.share(done, hinder ? 1 : owner().threads());
    if (!runChunks(info, lease.memory(), measured && (done == 0 || compares)))
      return std::nullopt;
  }
  return leave();
}

// Takes part in a launch that another thread has started. A thread without enough stack or memory leaves the work to
// the others.
std::optional<Status> LaunchCommand::join() {
  assert(range && groups.count() != 0 && "run() shares no launch without work-groups");
  if (launch.waiting != nullptr) {
    if (stackLeft() >= stackBytes() && runSuspendedPart(true) == SuspendedGroups::End::SteppedAside)
      return std::nullopt;
    return leave();
  }
  if (stackLeft() >= stackBytes()) {
    const WorkerMemoryPool::Lease lease = leaseMemory();
    if (lease) {
      const DefaultFloatingPoint floating_point;
      if (!runChunks(infoFor(lease), lease.memory(), false))
        return std::nullopt;
    }
  }
  return leave();
}

// Called by each thread at the end of its part. The last one completes the command.
std::optional<Status> LaunchCommand::leave() {
  if (!owner().leaveShared(*this))
    return std::nullopt;
  flushOutput();
  // Groups are left when all other threads have stepped aside and the last thread has too little stack or memory.
  return groups.anyLeft() ? kOutOfResources : kComplete;
}

// Runs work-groups that may wait for others. All threads take part from the start; each takes one work-group at a time,
// in order.
std::optional<Status> LaunchCommand::runSuspended() {
  if (!groups.canBeShared()) {
    if (runSuspendedPart(false) == SuspendedGroups::End::NoMemory)
      return kOutOfResources;
    flushOutput();
    return kComplete;
  }
  groups.share(0, owner().threads());
  if (runSuspendedPart(true) == SuspendedGroups::End::SteppedAside)
    return std::nullopt;
  return leave();
}

SuspendedGroups::End LaunchCommand::runSuspendedPart(bool shared) {
  assert(launch.waiting != nullptr && range && "the work-groups of this launch cannot be suspended");
  const DefaultFloatingPoint floating_point;
  // All work-groups have the same arguments.
  const WorkerMemoryPool::Lease lease{owner().workerMemory(), 0, 0, launch.arguments};
  if (!lease)
    return SuspendedGroups::End::NoMemory;
  const auto take = [&]() -> std::optional<GroupToRun> {
    const std::optional<uint64_t> group = groups.takeOne();
    return group ? std::optional<GroupToRun>({&launch, &*range, lease.arguments(), *group}) : std::nullopt;
  };
  SuspendedGroups mine(*launch.waiting, watch, owner().threads() == 1);
  return mine.run(
      {launch.local_bytes, launch.scratch_bytes}, take, [&] { return shared && groups.hasToStepAside(); },
      [&] { return owner().hasMoreUrgent(priority()); });
}

// Runs groups on this thread alone and returns how many are done: none if earlier launches have shown that sharing pays
// off.
uint64_t LaunchCommand::runAlone(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) {
  const double known = launch.history == nullptr ? 0 : launch.history->groupNanoseconds();
  // A measurement takes one group, and for that long the other threads would have nothing to do. If groups took long in
  // earlier launches, the launch is shared at once and its first chunk is measured instead.
  if (groups.canBeShared() && groups.worthSharing(known, groups.count()) && !compares &&
      (!measured || known > kShort)) {
    groups.prepareChunks(known, groups.count());
    return 0;
  }
  const uint64_t trial = compares ? SharedGroups::kLongTrial : SharedGroups::kTrial;
  const uint64_t done = groups.runAlone(groups.canBeShared() ? trial : 0, measured, launch.history,
                                        [&](uint64_t first, uint64_t end) { range->run(info, worker, first, end); });
  assert((!compares || done != 0) && "nothing was measured that several threads could be compared with");
  if (compares)
    launch.history->noteAlone(launch.history->groupNanoseconds());
  return done;
}

// Takes chunks until none are left. If `measure_first`, the time of the first chunk goes to the history.
bool LaunchCommand::runChunks(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, bool measure_first) {
  assert((!measure_first || launch.history != nullptr) && "the launch keeps no history of its times");
  return groups.runChunks([&](uint64_t first, uint64_t end) {
    const uint64_t begin = measure_first ? nanoseconds() : 0;
    range->run(info, worker, first, end);
    if (!std::exchange(measure_first, false))
      return;
    const float group = static_cast<float>(nanoseconds() - begin) / static_cast<float>(end - first);
    if (compares)
      launch.history->noteShared(group, owner().threads());
    else
      launch.history->note(group);
  });
}

} // namespace lanecl::scheduler
