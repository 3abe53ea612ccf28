// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-groups and work-groups that wait for each other in loops, among other things that sub-groups do. Values that are
// live during the wait must be kept.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

void start(Maker &m) {
  using Role = MemoryObject::Role;
  m.kernel.group_order = Turns::Order(m.below(kTurnOrders));
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Output, .name = "wide", .type = kSize, .count = 4});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Turns, .name = "turns", .type = kUInt, .count = kAllTurnCells});
  if (m.chance(60))
    m.addMemory({.role = Role::Relay, .name = "relay", .type = kUInt, .count = kTurnCells * kMostRelays});
  if (m.chance(75))
    m.addMemory({.role = Role::Local, .name = "loc0", .type = kInt, .count = 1});
  if (m.chance(30))
    m.addMemory({.role = Role::LocalScratch, .name = "through_local", .type = kUInt, .count = 4});
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter(kInt, int64_t(m.bits()));
}

} // namespace

const Choices &waitChoices() {
  static const Choices choices{
      .types = {kInt,
                kUInt,
                kUInt,
                {Base::Float, 1},
                {Base::UChar, 1},
                {Base::Short, 1},
                {Base::Long, 1},
                {Base::ULong, 1},
                {Base::Int, 2},
                {Base::UInt, 4},
                {Base::Float, 4},
                {Base::UChar, 16},
                {Base::Int, 8}},
      .statements = {{14, makeAssignment},
                     {4, makeStore},
                     {3, makeAtomic},
                     {8, makeBranch},
                     {12, makeLoop},
                     {2, makeStaggeredLoop},
                     {3, makeSwitch},
                     {6, makeLeave},
                     {8, makeCall},
                     {10, makeSubGroupCall},
                     {5, makeExchange},
                     {3, makeLocalAtomics},
                     {4, makeArray},
                     {4, makePointer},
                     {2, makePointerMove},
                     {30, makeTurns},
                     {12, makeRelay}},
      .leaves = {{50, variableLeaf},
                 {8, elementLeaf},
                 {6, componentLeaf},
                 {12, inputLeaf},
                 {5, parameterLeaf},
                 {8, queryLeaf},
                 {8, subGroupQueryLeaf},
                 {4, localLeaf},
                 {3, ownOutputLeaf}},
      .local_sizes =
          {{1}, {5}, {37}, {64}, {70}, {100}, {12, 3}, {24, 4}, {16, 3}, {5, 3, 2}, {20, 2}, {16, 2, 2}, {8, 2, 5}},
      .kernel_statements = 16,
      .helper_statements = 6,
      .helpers = 2,
      .progressions = 0,
      .arrays = 25,
      .functions = 5,
      .calls_on_leaving = 30,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
