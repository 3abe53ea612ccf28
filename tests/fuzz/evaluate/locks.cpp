// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Updates under locks. The sums and the final state of the locks do not depend on the order of the updates: in the end
// all locks are free.
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kAll = 0xffffffff;

void add(Cells &cells, unsigned at, uint64_t value) {
  cells.set(at, kAll, cells.get(at) + value);
}

} // namespace

// Returns the cell of the first sum: that of the work-group's own sums, or of the sums of all work-groups.
unsigned WorkGroup::firstLockSum(bool of_group) const {
  if (!of_group)
    return kLockCells;
  const NDRange &range = launch.range;
  const size_t group = (number[2] * range.groups(1) + number[1]) * range.groups(0) + number[0];
  if (group >= kMostLockingGroups)
    throw Rejected("too many work-groups for sums of their own");
  return kLockCells + kLockSums * unsigned(1 + group);
}

void WorkGroup::lock(const Stmt &s, Item &item) {
  const Locking &how = s.locking;
  const bool of_group = kernel.memories[s.memory].role == MemoryObject::Role::LocalLocks;
  const auto global = std::find_if(kernel.memories.begin(), kernel.memories.end(),
                                   [](const MemoryObject &o) { return o.role == MemoryObject::Role::Locks; });
  if (global == kernel.memories.end())
    throw Rejected("locks without memory for what they protect");
  Cells &cells = launch.memory[size_t(global - kernel.memories.begin())];
  const unsigned which = unsigned(bits(s.values[0], item) % kLocks), sums = firstLockSum(of_group) + which;
  const uint64_t value = bits(s.values[1], item);
  if (how.branches)
    bits(s.values[2], item);
  add(cells, sums + unsigned(sumOf(how.way)) * kLocks, value * how.rounds);
  if (how.nested)
    add(cells, sums + unsigned(LockSum::OfInner) * kLocks, how.rounds);
  if (how.way == Locking::Way::Ticket && !of_group) // a ticket is not given back
    for (LockCell cell : {LockCell::Ticket, LockCell::Called})
      add(cells, unsigned(cell) * kLocks + which, how.rounds);
}

} // namespace lanecl::fuzz
