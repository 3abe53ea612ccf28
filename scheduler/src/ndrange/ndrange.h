// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The work-groups of an NDRange in linear order, and how they become calls of a work-group function.
#pragma once

#include "scheduler/scheduler.h"

#include <optional>

namespace lanecl::scheduler {

// The call that runs one work-group.
struct GroupCall {
  abi::WorkGroupFunction function;
  const void *facts;
  std::array<uint64_t, 3> local_size;
  uint64_t x, y, z;

  void run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) const;
};

// The grid of a launch. In each dimension all work-groups have the same size, except that the last one may be smaller
// if the range is non-uniform.
class NdRange {
public:
  // Returns nothing when the launch is inconsistent: it lacks an entry point for the groups it has, or its sizes do not
  // fit together.
  static std::optional<NdRange> of(const Launch &launch);

  uint64_t groups() const { return counts[0] * counts[1] * counts[2]; }
  // Runs the groups [begin, end) of the linear order, in which x varies fastest. Each row is one call, or two if the
  // last group of the row is smaller.
  void run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const;
  // Returns the call that runs the group with this linear number.
  GroupCall callOf(uint64_t group) const;

private:
  // Runs the groups [x_begin, x_end) of one row.
  void runRow(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t x_begin, uint64_t x_end,
              uint64_t y, uint64_t z) const;

  const void *facts = nullptr;
  abi::WorkGroupFunction entry = nullptr, edge_entry = nullptr;
  // By dimension: the number of groups, how many of them have the full size, that size, and the size of the smaller
  // last group or 0.
  std::array<uint64_t, 3> counts{}, full{}, local{}, rest{};
};

} // namespace lanecl::scheduler
