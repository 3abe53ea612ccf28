// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ndrange/ndrange.h"

#include "ndrange/running_scope.h"

#include <algorithm>
#include <cassert>

namespace lanecl::scheduler {

std::optional<NdRange> NdRange::of(const Launch &launch) {
  NdRange range;
  range.entry = launch.entry;
  range.edge_entry = launch.edge_entry;
  range.facts = launch.facts;
  bool any_full = true, any_edge = false, empty = false;
  for (int d = 0; d < 3; ++d) {
    const uint64_t size = launch.info.global_size[d], local = launch.info.enqueued_local_size[d];
    if (local == 0)
      return std::nullopt;
    range.local[d] = local;
    range.full[d] = size / local;
    range.rest[d] = size % local;
    range.counts[d] = range.full[d] + (range.rest[d] != 0 ? 1 : 0);
    if (range.counts[d] != launch.info.num_groups[d])
      return std::nullopt;
    any_full &= range.full[d] != 0;
    any_edge |= range.rest[d] != 0;
    empty |= size == 0;
  }
  uint64_t product = 0;
  if (__builtin_mul_overflow(range.counts[0], range.counts[1], &product) ||
      __builtin_mul_overflow(product, range.counts[2], &product))
    return std::nullopt;
  if (!empty && ((any_full && range.entry == nullptr) || (any_edge && range.edge_entry == nullptr)))
    return std::nullopt;
  return range;
}

void NdRange::run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t begin, uint64_t end) const {
  assert(begin < end && end <= groups() && "there are no such work-groups");
  uint64_t x = begin % counts[0];
  uint64_t y = begin / counts[0] % counts[1];
  uint64_t z = begin / counts[0] / counts[1];
  while (begin < end) {
    const uint64_t x_end = std::min(counts[0], x + (end - begin));
    runRow(info, worker, x, x_end, y, z);
    begin += x_end - x;
    x = 0;
    if (++y == counts[1]) {
      y = 0;
      ++z;
    }
  }
}

[[maybe_unused]] static bool isAligned(const std::byte *memory) {
  return reinterpret_cast<uintptr_t>(memory) % abi::kMemoryAlignment == 0;
}

// Calls a work-group function. Meanwhile runningGroups() tells what the thread runs.
static void call(abi::WorkGroupFunction function, const RunningGroups &groups) {
  assert(function != nullptr && "NdRange::of() accepts no launch that lacks an entry point");
  assert(groups.local_size[0] != 0 && groups.local_size[1] != 0 && groups.local_size[2] != 0 &&
         "the work-groups have no work-items");
  assert(groups.x_begin < groups.x_end && "each call runs some work-groups");
  assert(isAligned(groups.memory->local) && isAligned(groups.memory->scratch) && isAligned(groups.launch->arguments) &&
         "generated code relies on the alignment of its memory");
  const RunningScope running(groups);
  function(groups.launch, groups.memory, groups.local_size, groups.x_begin, groups.x_end, groups.y, groups.z);
}

void GroupCall::run(const abi::LaunchInfo &info, const abi::WorkerMemory &worker) const {
  call(function, {facts, &info, &worker, local_size.data(), x, x + 1, y, z});
}

GroupCall NdRange::callOf(uint64_t group) const {
  assert(group < groups() && "there is no such work-group");
  const uint64_t x = group % counts[0], y = group / counts[0] % counts[1], z = group / counts[0] / counts[1];
  const bool is_full = x < full[0] && y < full[1] && z < full[2];
  return {is_full ? entry : edge_entry,
          facts,
          {x < full[0] ? local[0] : rest[0], y < full[1] ? local[1] : rest[1], z < full[2] ? local[2] : rest[2]},
          x,
          y,
          z};
}

void NdRange::runRow(const abi::LaunchInfo &info, const abi::WorkerMemory &worker, uint64_t x_begin, uint64_t x_end,
                     uint64_t y, uint64_t z) const {
  assert(x_end <= counts[0] && y < counts[1] && z < counts[2] && "there is no such row of work-groups");
  uint64_t size[3] = {local[0], y < full[1] ? local[1] : rest[1], z < full[2] ? local[2] : rest[2]};
  const bool full_row = y < full[1] && z < full[2];
  const uint64_t full_end = std::min(x_end, full[0]);
  if (x_begin < full_end)
    call(full_row ? entry : edge_entry, {facts, &info, &worker, size, x_begin, full_end, y, z});
  if (x_end <= full[0])
    return;
  size[0] = rest[0];
  call(edge_entry, {facts, &info, &worker, size, full[0], x_end, y, z});
}

} // namespace lanecl::scheduler
