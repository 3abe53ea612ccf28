// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integers of every width: offsets before guards, low bits, ranges and signs known from branches, conversions, index
// types, functions on integers, divergent loops.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

void start(Maker &m) {
  m.sees_groups = m.chance(60); // if no kernel can tell, the device chooses its own work-groups
  using Role = MemoryObject::Role;
  const auto anyInteger = [&] { return Type{Base(m.below(kIntegerBases)), 1}; };
  m.addMemory({.role = Role::Input, .name = "in0", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Input, .name = "in1", .type = anyInteger(), .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Output, .name = "out0", .type = kInt, .count = m.chance(50) ? 8u : 16u});
  m.addMemory({.role = Role::Output, .name = "out1", .type = anyInteger(), .count = 1});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = anyInteger(), .count = 8});
  if (m.chance(40))
    addGrid(m, "grid", anyInteger());
  if (m.chance(20))
    m.addMemory({.role = Role::Table, .name = "table", .type = anyInteger(), .count = 16});
  if (m.chance(20))
    m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addParameter(m.chance(50) ? kInt : anyInteger(), m.below(8) | m.below(2)); // a border
  m.addParameter(m.chance(50) ? kInt : anyInteger(),                           // a size
                 int64_t(m.kernel.launches[0].items()) + m.below(5) - 2);
  m.addParameter(anyInteger(), int64_t(m.bits()));
}

// Scalars are twelve times as likely as each kind of vector.
std::vector<Type> types() {
  std::vector<Type> result;
  for (unsigned base = 0; base < kIntegerBases; ++base)
    for (unsigned scalar = 0; scalar < 12; ++scalar)
      result.push_back({Base(base), 1});
  for (unsigned base = 0; base < kIntegerBases; ++base)
    for (unsigned lanes : {2u, 3u, 4u})
      result.push_back({Base(base), uint8_t(lanes)});
  result.push_back({Base::UChar, 16});
  result.push_back({Base::Short, 8});
  return result;
}

} // namespace

const Choices &integerChoices() {
  static const Choices choices{
      .types = types(),
      .statements = {{22, makeAssignment},
                     {10, makeStore},
                     {35, makeGuard},
                     {6, makeUse},
                     {8, makeBranch},
                     {10, makeLoop},
                     {3, makeSwitch},
                     {8, makeLeave},
                     {4, makeProgression},
                     {3, makeCall},
                     {2, makeAtomic}},
      .leaves = {{55, variableLeaf},
                 {6, elementLeaf},
                 {8, componentLeaf},
                 {15, inputLeaf},
                 {8, gridLeaf},
                 {8, parameterLeaf},
                 {12, queryLeaf},
                 {2, ownOutputLeaf}},
      .local_sizes =
          {{1}, {2}, {1, 2}, {16}, {32}, {64}, {64}, {5}, {37}, {12, 3}, {8, 4}, {16, 2}, {5, 3, 2}, {20, 2}},
      .kernel_statements = 5,
      .helper_statements = 3,
      .helpers = 1,
      .progressions = 2,
      .agreeing = 25,
      .functions = 26,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
