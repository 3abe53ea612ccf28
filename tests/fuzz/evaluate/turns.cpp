// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns of sub-groups and of work-groups. They are evaluated one after the other, in their order.
#include "evaluate/work_group.h"

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kAll = ~uint64_t(0);

} // namespace

// Returns by how many sub-groups the order of turns is rotated. The work-items must agree on it.
uint32_t WorkGroup::rotationOf(const Stmt &s, const Items &active) {
  if (s.turns.order != Turns::Order::Rotated)
    return 0;
  const uint64_t rotation = bits(s.values[1], *active[0]);
  for (Item *item : active)
    if (bits(s.values[1], *item) != rotation)
      throw Rejected("work-items differ in the order of turns");
  return uint32_t(rotation);
}

// One work-item takes its turn. The cell `first` holds whose turn it is; the cell after it holds the value that is
// handed on.
Value WorkGroup::takeTurn(const Stmt &s, Cells &cells, unsigned first, Item &item) {
  Value found;
  found.c[0] = cells.get(first + 1);
  cells.set(first + 1, kAll, afterTurn(found.c[0], bits(s.values[0], item)));
  return found;
}

// The work-items that wait together take their turn.
void WorkGroup::takeTurn(const Stmt &s, Cells &cells, unsigned first, const Items &waiting) {
  const bool each = s.turns.who == Turns::Who::Each || s.turns.who == Turns::Who::InStep;
  Item *taker = s.turns.who == Turns::Who::Last ? waiting.back() : waiting.front();
  for (Item *item : waiting) {
    if (!s.turns.late)
      bits(s.values[0], *item);
    if (s.turns.who == Turns::Who::Some)
      bits(s.values.back(), *item);
  }
  Value found = each ? Value{} : takeTurn(s, cells, first, *taker);
  for (Item *item : waiting) {
    if (each)
      found = takeTurn(s, cells, first, *item);
    if (each || !s.turns.keeps || item == taker)
      assign(s.target, found, *item);
  }
  cells.set(first, kAll, cells.get(first) + 1);
}

// Each turn of the work-group has cells of its own.
void WorkGroup::relay(const Stmt &s, const Items &active) {
  Cells &cells = launch.memory[s.memory];
  const unsigned first = kTurnCells * relays++;
  if (relays > kMostRelays)
    throw Rejected("too many turns");
  if (cells.get(first) != position)
    throw Rejected("a work-group waits for one that does not take its turn");
  takeTurn(s, cells, first, active);
}

// Lets the sub-groups of a work-group take their turns in the statement's order. Turns of whole work-groups are relayed
// through global memory.
void WorkGroup::takeTurns(const Stmt &s, const Items &active) {
  if (kernel.memories[s.memory].role == MemoryObject::Role::Relay)
    return relay(s, active);
  std::vector<Items> sub_groups((active.size() + launch.width - 1) / launch.width);
  const uint32_t rotation = rotationOf(s, active);
  for (Item *item : active)
    sub_groups[positionOf(s.turns.order, item->linear / launch.width, sub_groups.size(), rotation)].push_back(item);
  for (const Items &waiting : sub_groups)
    takeTurn(s, locals[s.memory], 0, waiting);
}

} // namespace lanecl::fuzz
