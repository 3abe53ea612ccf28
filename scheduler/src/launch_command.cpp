#include "launch_command.h"

#include "core.h"
#include "floating_point.h"
#include "printf.h"
#include "stack.h"

#include <algorithm>

namespace lanecl::scheduler {

namespace {

// Letting others in costs about a microsecond when they are awake.
constexpr double kWorthSharing = 5'000; // nanoseconds that the rest is expected to take
constexpr uint64_t kTrial = 1'500;      // nanoseconds after which the expectation is believed
constexpr double kShort = 2'000;        // nanoseconds of a launch that is not worth another thread's attention
constexpr double kSmallestChunk = 2'000;
constexpr unsigned kChunksPerThread = 4;
constexpr double kLongestChunk = 200'000; // nanoseconds, where priorities matter

} // namespace

LaunchCommand::LaunchCommand(std::shared_ptr<Core> owner, Timing timing, Launch what)
    : Node(std::move(owner), Kind::Command, timing), launch(std::move(what)), range(NdRange::of(launch)),
      total(range ? range->groups() : 0), measured(launch.history != nullptr && launch.history->measureNext()) {
  static constexpr abi::Services kServices{printfService};
  launch.info.services = &kServices;
}

bool LaunchCommand::expectedShort() const {
  const double group = launch.history != nullptr ? launch.history->groupNanoseconds() : 0;
  return group > 0 && group * static_cast<double>(total) < kShort;
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
  abi::LaunchInfo info = launch.info;
  info.arguments = lease.arguments();
  return info;
}

std::optional<Status> LaunchCommand::run() {
  if (!range)
    return kInvalidWorkGroupSize;
  if (total == 0)
    return kComplete;
  if (stackLeft() < stackBytes())
    return kOutOfResources;
  {
    const WorkerMemoryPool::Lease lease = leaseMemory();
    if (!lease)
      return kOutOfResources;
    const DefaultFloatingPoint floating_point;
    const abi::LaunchInfo info = infoFor(lease);
    const uint64_t done = runAlone(info, lease.memory());
    if (done == total) {
      flushOutput();
      return kComplete;
    }
    next.store(done, std::memory_order_relaxed);
    owner().share(std::static_pointer_cast<Node>(shared_from_this()));
    if (!runChunks(info, lease.memory()))
      return std::nullopt;
  }
  return leave();
}

// A helper that cannot help leaves the work to those that can.
std::optional<Status> LaunchCommand::join() {
  if (stackLeft() >= stackBytes()) {
    const WorkerMemoryPool::Lease lease = leaseMemory();
    if (lease) {
      const DefaultFloatingPoint floating_point;
      if (!runChunks(infoFor(lease), lease.memory()))
        return std::nullopt;
    }
  }
  return leave();
}

std::optional<Status> LaunchCommand::leave() {
  if (!owner().leaveShared(*this))
    return std::nullopt;
  flushOutput();
  // The others have stepped aside, and the last one could not help.
  return next.load(std::memory_order_relaxed) < total ? kOutOfResources : kComplete;
}

// Returns how many groups are done: all of them, or as many as it took to see that help is worth while.
uint64_t LaunchCommand::runAlone(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) {
  const bool trial = (owner().threads() != 1 || owner().heedsPriorities()) && total != 1;
  const uint64_t begin = trial || measured ? nanoseconds() : 0;
  uint64_t done = total;
  if (trial)
    done = runTrial(info, worker, begin);
  else
    range->run(info, worker, 0, total);
  if (measured || (launch.history != nullptr && done != total)) // whoever shares has the time
    launch.history->note(static_cast<float>(nanoseconds() - begin) / static_cast<float>(done));
  return done;
}

uint64_t LaunchCommand::runTrial(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t begin) {
  uint64_t done = 0, batch = 1;
  while (true) {
    range->run(info, worker, done, done + batch);
    done += batch;
    if (done == total)
      return total;
    const uint64_t elapsed = nanoseconds() - begin;
    const double one = static_cast<double>(elapsed) / static_cast<double>(done);
    if (elapsed >= kTrial && one * static_cast<double>(total - done) > kWorthSharing) {
      const uint64_t most = std::max<uint64_t>(1, (total - done) / (uint64_t{2} * owner().threads()));
      grain = std::clamp<uint64_t>(static_cast<uint64_t>(kSmallestChunk / one), 1, most);
      if (owner().heedsPriorities())
        longest = std::max(grain, static_cast<uint64_t>(kLongestChunk / one));
      return done;
    }
    // Reading the clock costs as much as a tiny group, so the quicker the groups, the fewer the looks at it.
    batch = std::min(total - done, elapsed < kTrial / 4 ? 3 * done : done);
  }
}

bool LaunchCommand::runChunks(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) {
  const uint64_t shares = uint64_t{kChunksPerThread} * owner().threads();
  uint64_t begin = next.load(std::memory_order_relaxed);
  while (begin < total) {
    if (owner().hasMoreUrgent(priority()) && owner().stepAside(*this))
      return false; // nothing here is this thread's any more
    const uint64_t size = std::min({total - begin, std::max(grain, (total - begin) / shares), longest});
    if (!next.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed))
      continue;
    range->run(info, worker, begin, begin + size);
    begin = next.load(std::memory_order_relaxed);
  }
  return true;
}

} // namespace lanecl::scheduler
