// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-group functions in every kind of control flow, at every size, in full and partial sub-groups. Functions that
// OpenCL requires the whole sub-group to call are also called by some work-items alone. By docs/sub-groups.md they
// then see just these work-items.
#include "generate/generators.h"
#include "generate/sub_group_operands.h"

namespace lanecl::fuzz {

namespace {

void start(Maker &m) {
  using Role = MemoryObject::Role;
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Output, .name = "wide", .type = kSize, .count = 4});
  m.addMemory({.role = Role::Local, .name = "loc0", .type = kInt, .count = 1});
  const unsigned words = m.chance(75) ? 4 : 16; // for each lane
  if (m.chance(50))
    m.addMemory({.role = Role::LocalScratch, .name = "through_local", .type = kUInt, .count = words});
  const bool blocks_2d = m.kernel.required_width == 16 && m.chance(60);
  if (m.chance(blocks_2d ? 60 : 30))
    m.addMemory({.role = Role::Scratch, .name = "through_global", .type = kUInt, .count = words});
  if (m.chance(30))
    m.addMemory({.role = Role::Input, .name = "blocks", .type = kUInt, .count = kBlockInput});
  if (blocks_2d)
    m.addMemory({.role = Role::Input, .name = "surface", .type = kUInt, .count = 2 * kBlockInput});
  if (m.chance(20))
    addBlockImage(m, "image_in", ImageShape::Access::Read);
  if (m.chance(15))
    addBlockImage(m, "image_out", ImageShape::Access::Write);
  if (m.chance(20))
    addBlockImage(m, "image_both", ImageShape::Access::ReadWrite);
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter(kInt, int64_t(m.bits()));
}

} // namespace

const Choices &subGroupChoices() {
  static const Choices choices{
      .types = {kInt,
                kInt,
                kUInt,
                kUInt,
                {Base::Float, 1},
                {Base::Char, 1},
                {Base::UChar, 1},
                {Base::Short, 1},
                {Base::UShort, 1},
                {Base::Long, 1},
                {Base::ULong, 1},
                {Base::Int, 2},
                {Base::UInt, 4},
                {Base::UInt, 4},
                {Base::Short, 2},
                {Base::UChar, 4},
                {Base::Float, 4}},
      .statements = {{14, makeAssignment},
                     {4, makeStore},
                     {3, makeAtomic},
                     {14, makeBranch},
                     {10, makeLoop},
                     {5, makeStaggeredLoop},
                     {5, makeSwitch},
                     {8, makeLeave},
                     {8, makeCall},
                     {40, makeSubGroupCall},
                     {4, makeExchange}},
      .leaves = {{55, variableLeaf},
                 {8, componentLeaf},
                 {12, inputLeaf},
                 {5, parameterLeaf},
                 {10, queryLeaf},
                 {10, subGroupQueryLeaf},
                 {4, localLeaf}},
      .local_sizes = {{5}, {1}, {2}, {37}, {70}, {12, 3}, {8, 4}, {16, 3}, {5, 3, 2}, {20, 2}, {16, 2, 2}, {3, 3, 3}},
      .kernel_statements = 16,
      .helper_statements = 6,
      .helpers = 2,
      .progressions = 0,
      .functions = 5,
      .calls_on_leaving = 70,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
