// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that OpenCL C leaves open, wholly or in some bits. They are moved around, and nothing but they themselves
// depends on them.
#include "generate/generators.h"
#include "generate/open_values.h"

namespace lanecl::fuzz {

namespace {

using Role = MemoryObject::Role;

// Adds a struct of integers and integer vectors.
Type addRecord(Maker &m) {
  Record record{.name = "S" + std::to_string(m.kernel.records.size())};
  unsigned room = kMaxLanes;
  for (unsigned count = 2 + m.below(4); count > 0; --count) {
    Field field{.name = "f" + std::to_string(record.fields.size()), .type = openType(m)};
    if (field.type.lanes > 4 || m.chance(50))
      field.type.lanes = 1;
    if (field.type.lanes > room)
      break;
    room -= field.type.lanes;
    record.fields.push_back(field);
  }
  return fuzz::addRecord(m.kernel.records, std::move(record));
}

// Adds memory for values that may have open bits.
void addOpenMemories(Maker &m) {
  for (unsigned i = 0; i < 3; ++i)
    m.addMemory(
        {.role = Role::Open, .name = "open" + std::to_string(i), .type = openType(m), .count = m.chance(50) ? 1u : 2u});
  const unsigned row = m.addMemory({.role = Role::Open, .name = "row", .type = {openType(m).base, 1}, .count = 16});
  m.layouts[row].by_slot = false;
  if (m.chance(50))
    m.addMemory({.role = Role::Open, .name = "openr", .type = addRecord(m), .count = 1});
}

void start(Maker &m) {
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Input, .name = "inv", .type = openType(m), .count = 64});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Output, .name = "out1", .type = {openType(m).base, 1}, .count = 4});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  addOpenMemories(m);
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter({Base(m.below(kIntegerBases)), 1}, 0); // a divisor
}

// Makes a helper function, one of whose parameters may be open.
void helper(Maker &m) {
  m.function.result = m.chance(60) ? kInt : m.anyType();
  m.takes({.type = kInt, .level = m.atLeast(m.returns)});
  if (m.chance(70)) {
    const bool settled = m.chance(50);
    m.takes({.type = settled ? Type{Base(m.below(kIntegerBases)), 1} : openType(m), .fixed = settled, .open = true});
  }
  if (m.chance(50))
    m.takes({.type = m.anyType()});
}

std::vector<Type> types() {
  std::vector<Type> result;
  for (unsigned base = 0; base < kIntegerBases; ++base)
    for (uint8_t lanes : {1, 1, 1, 1, 2, 3, 3, 4})
      result.push_back({Base(base), lanes});
  result.insert(result.end(),
                {{Base::UChar, 8}, {Base::UChar, 16}, {Base::Short, 8}, {Base::Float, 1}, {Base::Float, 3}});
  return result;
}

} // namespace

const Choices &undefinedChoices() {
  static const Choices choices{
      .types = types(),
      .statements = {{10, makeAssignment},   {4, makeStore},      {6, makeBranch},         {6, makeLoop},
                     {2, makeSwitch},        {4, makeLeave},      {3, makeArray},          {6, makeCall},
                     {14, makeOpenVariable}, {12, makeSettled},   {8, makeOpenAssignment}, {7, makeOpenArray},
                     {6, makeOpenRecord},    {22, makeOpenStore}, {18, makeClosed},        {8, makeOpenBranch},
                     {6, makeOpenLoop},      {4, makeOpenSwitch}, {6, makeTested},         {4, makeOverwritten},
                     {8, makeQuotients}},
      .leaves = {{45, variableLeaf},
                 {8, elementLeaf},
                 {8, componentLeaf},
                 {8, swizzleLeaf},
                 {20, inputLeaf},
                 {5, parameterLeaf},
                 {10, queryLeaf}},
      .local_sizes =
          {{1}, {1}, {2}, {2}, {4}, {8}, {8}, {16}, {32}, {64}, {5}, {37}, {12, 3}, {8, 4}, {1, 4}, {5, 3, 2}, {20, 2}},
      .kernel_statements = 12,
      .helper_statements = 4,
      .helpers = 1,
      .progressions = 0,
      .agreeing = 30,
      .arrays = 15,
      .functions = 10,
      .start = start,
      .helper = helper};
  return choices;
}

} // namespace lanecl::fuzz
