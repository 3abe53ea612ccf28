// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The groups of an NDRange in linear order, and how they become calls of a work-group function.
#pragma once

#include "scheduler/scheduler.h"

#include <optional>

namespace lanecl::scheduler {

// Of one work-group.
struct GroupCall {
  abi::WorkGroupFunction function;
  const void *subject;
  std::array<uint64_t, 3> local_size;
  uint64_t x, y, z;

  void run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) const;
};

class NdRange {
public:
  // Nothing when the launch is inconsistent: no entry point for the groups it has, sizes that do not fit together.
  static std::optional<NdRange> of(const Launch &launch);

  uint64_t groups() const { return counts[0] * counts[1] * counts[2]; }
  // Runs the groups [begin, end), x fastest: each row in one call, or two where its last group is smaller.
  void run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const;
  GroupCall callOf(uint64_t group) const;

private:
  void runRow(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t x_begin, uint64_t x_end,
              uint64_t y, uint64_t z) const;

  const void *subject = nullptr;
  abi::WorkGroupFunction entry = nullptr, edge_entry = nullptr;
  std::array<uint64_t, 3> counts{}, full{}, local{}, rest{}; // groups, those of full size, their size, size of the last
};

} // namespace lanecl::scheduler
