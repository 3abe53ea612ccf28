// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that see nothing of their work-group, so that the device may make rows along any dimension. Their accesses
// are consecutive mostly along one dimension, which is not always x. Structures, small types, few work-items.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

// Rows lie along dimensions in which the launch is long, see freeRows in icd/src/program/local_size.cpp.
NDRange longRange(Maker &m) {
  const size_t x = 64 + m.below(5), n = 64 + m.below(8);
  const std::vector<std::vector<size_t>> locals{{1, 1, 1}, {8, 8, 1}, {x, 1, 1}, {16, 4, 1}, {1, 2, 1}, {2, 1, 1}};
  NDRange range{.global = {x, n}, .local = m.pick(locals)};
  if (m.axis == 2)
    range.global = {x, m.chance(85) ? 1u : 2u, n};
  if (m.axis == 0 || m.chance(20))
    range.global.resize(3, 1);
  range.local.resize(range.global.size());
  if (m.chance(10))
    range.offset = {m.below(4), m.below(4), m.below(4)};
  range.offset.resize(range.offset.empty() ? 0 : range.global.size());
  return range;
}

// Returns a small launch, along no dimension of which rows need to be formed.
NDRange shortRange(Maker &m) {
  const std::vector<std::vector<size_t>> globals{{1},     {3},     {13},    {37},      {64},      {200},     {2, 2},
                                                 {3, 40}, {40, 3}, {1, 70}, {70, 2},   {1, 1, 9}, {5, 3, 9}, {1, 1, 66},
                                                 {64, 3}, {2, 66}, {7, 1},  {4, 1, 1}, {16, 16}};
  const std::vector<std::vector<size_t>> locals{{1, 1, 1}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {8, 1, 1}, {16, 2, 1}};
  NDRange range{.global = m.pick(globals), .local = m.pick(locals)};
  range.local.resize(range.global.size());
  return range;
}

// The first launch is long along some axis. The later ones are mostly short.
NDRange range(Maker &m) {
  const bool is_first = m.kernel.launches.empty();
  if (is_first)
    m.axis = m.chance(45) ? 1 : m.chance(80) ? 2 : 0;
  return is_first || m.chance(15) ? longRange(m) : shortRange(m);
}

void start(Maker &m) {
  using Role = MemoryObject::Role;
  m.sees_groups = false;
  m.columns = m.axis == 0 ? 5 : 92;
  const auto any = [&] { return Type{m.anyType().base, 1}; };
  addGrid(m, "grid0", any());
  addGrid(m, "grid1", any());
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 64});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 64});
  m.addMemory({.role = Role::Output, .name = "out0", .type = any(), .count = 1});
  m.addMemory({.role = Role::Output, .name = "out1", .type = any(), .count = 2});
  m.layouts.back().by_slot = m.chance(80);
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 2});
  m.layouts.back().by_slot = m.chance(90);
  if (m.chance(60)) {
    const Type type = m.addStructure();
    addGrid(m, "rec", type);
    m.addMemory({.role = Role::Output, .name = "outr", .type = type, .count = 1});
  }
  if (m.chance(15))
    m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addParameter(kInt, m.below(70));
  m.addParameter(kInt, 1 + m.below(20));
}

std::vector<Type> types() {
  std::vector<Type> result;
  for (unsigned i = 0; i < 3; ++i)
    result.insert(result.end(), {kInt, kUInt, {Base::Float, 1}, {Base::Half, 1}, {Base::Short, 1}});
  for (Base base : {Base::Char, Base::UChar, Base::UShort, Base::Long, Base::ULong})
    result.push_back({base, 1});
  result.insert(
      result.end(),
      {{Base::Float, 2}, {Base::Int, 4}, {Base::Half, 2}, {Base::UChar, 4}, {Base::Float, 16}, {Base::Short, 8}});
  return result;
}

} // namespace

const Choices &rowChoices() {
  static const Choices choices{.types = types(),
                               .statements = {{14, makeAssignment},
                                              {14, makeStore},
                                              {20, makeMembers},
                                              {10, makeGuard},
                                              {8, makeBranch},
                                              {10, makeLoop},
                                              {2, makeSwitch},
                                              {10, makeLeave},
                                              {2, makeArray},
                                              {2, makeCall},
                                              {1, makeAtomic}},
                               .leaves = {{40, variableLeaf},
                                          {40, gridLeaf},
                                          {4, elementLeaf},
                                          {4, componentLeaf},
                                          {2, inputLeaf},
                                          {6, parameterLeaf},
                                          {8, queryLeaf},
                                          {3, ownOutputLeaf}},
                               .kernel_statements = 5,
                               .helper_statements = 3,
                               .helpers = 1,
                               .progressions = 1,
                               .agreeing = 25,
                               .arrays = 10,
                               .functions = 10,
                               .range = range,
                               .start = start};
  return choices;
}

} // namespace lanecl::fuzz
