// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// If unknown bits decide which way a work-item goes, it is evaluated going both ways. Whatever differs afterwards is
// unknown.
#include "evaluate/work_group.h"

#include <utility>

namespace lanecl::fuzz {

namespace {

// Merges the state after the two ways into `second`: bits that differ become unknown.
void join(Item &second, const Item &first, bool first_is_taken) {
  for (size_t i = 0; i < second.stack.size(); ++i) {
    const Scalar s = either(first_is_taken, {first.stack[i], first.unknown[i]}, {second.stack[i], second.unknown[i]});
    second.stack[i] = s.bits;
    second.unknown[i] = s.unknown;
    second.assigned[i] = second.assigned[i] && first.assigned[i];
  }
  for (unsigned i = 0; i < kMaxLanes; ++i) {
    const Scalar s = either(first_is_taken, {first.result.c[i], first.result.unknown[i]},
                            {second.result.c[i], second.result.unknown[i]});
    second.result.c[i] = s.bits;
    second.result.unknown[i] = s.unknown;
  }
  second.result.settled &= first.result.settled;
}

} // namespace

// Called before a cell is written. Records the old content for eitherWay().
void WorkGroup::note(unsigned memory, size_t cell) {
  if (journal)
    journal->try_emplace({memory, cell}, cells(memory).scalar(int64_t(cell)));
}

// Evaluates both ways from the same state. `first_is_taken` says which of them the bits as chosen take.
void WorkGroup::eitherWay(Item &item, bool first_is_taken, const std::function<void()> &first,
                          const std::function<void()> &second) {
  Journal *const outer = journal;
  const Item before = item;
  Journal old, left; // what the written cells held before, and what they hold after the first way
  journal = &old;
  first();
  for (const auto &[place, scalar] : old) {
    Cells &memory = cells(place.first);
    left[place] = memory.scalar(int64_t(place.second));
    memory.put(int64_t(place.second), scalar);
  }
  const Item after_first = std::exchange(item, before);
  second();
  journal = outer;
  if (item.flow != after_first.flow)
    throw Rejected("it is unknown whether a work-item leaves a loop or a function");
  join(item, after_first, first_is_taken);
  for (const auto &[place, scalar] : old) {
    Cells &memory = cells(place.first);
    const auto at = left.find(place);
    if (journal)
      journal->try_emplace(place, scalar);
    memory.put(int64_t(place.second),
               either(first_is_taken, at == left.end() ? scalar : at->second, memory.scalar(int64_t(place.second))));
  }
}

} // namespace lanecl::fuzz
