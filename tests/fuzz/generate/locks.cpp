// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-items that take locks, each for itself, in any control flow. Other work-items of the sub-group, other sub-groups
// and other work-groups want the same locks.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

using Role = MemoryObject::Role;

// Returns the number of a lock: one for all, as many as there are locks for neighboring work-items, or any.
ExprPtr anyLock(Maker &m) {
  if (m.chance(35))
    return m.constant(kUInt, m.below(kLocks));
  return m.chance(40) ? m.ask(Query::LocalLinearId, kUInt) : m.expr(kUInt, Level::Lane, 1);
}

// Chooses how a lock is taken and what is done while it is held.
Locking anyLocking(Maker &m) {
  Locking how{.way = Locking::Way(m.below(kLockWays)),
              .shape = Locking::Shape(m.below(kLockShapes)),
              .calls = m.chance(30),
              .late = m.chance(40),
              .branches = m.chance(25),
              .nested = m.chance(15)};
  if (how.way == Locking::Way::Mailbox)
    how.calls = how.branches = how.nested = false;
  else if (how.shape == Locking::Shape::Counted)
    how.rounds = 1 + m.below(3);
  return how;
}

// Makes a critical section that each work-item enters by itself.
void makeLock(Maker &m, Block &out, const Place &) {
  const auto memories =
      m.memoriesWhere([](const MemoryObject &o) { return o.role == Role::Locks || o.role == Role::LocalLocks; });
  Stmt s{.kind = Stmt::Kind::Lock, .memory = m.pick(memories), .locking = anyLocking(m)};
  s.values = {anyLock(m), m.expr(kUInt, Level::Lane, 3)};
  if (s.locking.branches)
    s.values.push_back(m.condition(Level::Lane, 2));
  out.push_back(s);
}

// Lets all work-items of a work-group take turns one after the other, without leaving their control flow.
void makeQueue(Maker &m, Block &out, const Place &place) {
  makeTurns(m, out, place);
  forEachStatement(out, [&](Stmt &s) {
    if (s.kind == Stmt::Kind::TakeTurns && s.turns.who == Turns::Who::Each)
      s.turns.who = Turns::Who::InStep;
  });
}

void start(Maker &m) {
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Locks, .name = "locks", .type = kUInt, .count = kAllLockCells});
  if (m.chance(60))
    m.addMemory({.role = Role::LocalLocks, .name = "local_locks", .type = kUInt, .count = kLockCells});
  m.addMemory({.role = Role::Turns, .name = "turns", .type = kUInt, .count = kAllTurnCells});
  if (m.chance(30))
    m.addMemory({.role = Role::LocalScratch, .name = "through_local", .type = kUInt, .count = 4});
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter(kInt, int64_t(m.bits()));
}

} // namespace

const Choices &lockChoices() {
  static const Choices choices{
      .types = {kInt, kUInt, kUInt, {Base::UChar, 1}, {Base::Float, 1}, {Base::Long, 1}, {Base::UInt, 4}},
      .statements = {{14, makeAssignment},
                     {6, makeStore},
                     {3, makeAtomic},
                     {14, makeBranch},
                     {14, makeLoop},
                     {4, makeStaggeredLoop},
                     {5, makeSwitch},
                     {8, makeLeave},
                     {10, makeCall},
                     {5, makeSubGroupCall},
                     {3, makeArray},
                     {40, makeLock},
                     {5, makeQueue}},
      .leaves = {{50, variableLeaf},
                 {8, elementLeaf},
                 {12, inputLeaf},
                 {5, parameterLeaf},
                 {8, queryLeaf},
                 {6, subGroupQueryLeaf},
                 {3, ownOutputLeaf}},
      .local_sizes = {{1}, {5}, {37}, {64}, {70}, {12, 3}, {24, 4}, {16, 3}, {5, 3, 2}, {20, 2}, {16, 2, 2}},
      .kernel_statements = 12,
      .helper_statements = 6,
      .helpers = 2,
      .progressions = 0,
      .arrays = 15,
      .functions = 5,
      .calls_on_leaving = 20,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
