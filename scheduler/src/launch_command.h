// An NDRange as a node of the dependency graph.
#pragma once

#include "ndrange.h"
#include "node.h"
#include "worker_memory.h"

namespace lanecl::scheduler {

// One thread begins alone. When that shows that the rest is worth it, the others are let in, and each takes chunks of
// the linear group space until none are left: large ones first, so that neighbours stay on one core, small ones at
// the end, so that all stop together. Nobody waits for the others; the last to leave completes the command.
class LaunchCommand final : public Node {
public:
  LaunchCommand(std::shared_ptr<Core> owner, Timing timing, Launch launch);

  bool expectedShort() const; // judged by earlier launches

  std::optional<Status> run() override;
  std::optional<Status> join() override;
  void dropPayload() override;
  uint64_t stackBytes() const override;

private:
  WorkerMemoryPool::Lease leaseMemory() const;
  abi::LaunchInfo infoFor(const WorkerMemoryPool::Lease &lease) const;
  std::optional<Status> leave();
  uint64_t runTrial(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t begin);
  uint64_t runAlone(const abi::LaunchInfo &info, const abi::WorkerMemory &worker);
  bool runChunks(const abi::LaunchInfo &info, const abi::WorkerMemory &worker); // false: stepped aside

  Launch launch;
  std::optional<NdRange> range;
  uint64_t total = 0;
  const bool measured;             // for the history
  uint64_t grain = 1;              // groups of the smallest chunk
  uint64_t longest = ~uint64_t{0}; // groups of the longest, which keeps a thread from a more urgent command
  std::atomic<uint64_t> next{0};   // first group nobody has taken
};

} // namespace lanecl::scheduler
