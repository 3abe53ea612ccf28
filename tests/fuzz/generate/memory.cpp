// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory: private arrays, structs, vectors, pointers, local memory with barriers, atomics, vload and vstore, images.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

using Role = MemoryObject::Role;

// Adds memory in which each work-item's cells are in a row.
void addRow(Maker &m, MemoryObject object) {
  m.layouts[m.addMemory(std::move(object))].by_slot = false;
}

// Adds record types. Memory that no work-item writes contains values of each type.
void addRecords(Maker &m) {
  for (unsigned i = 0, count = 1 + m.below(2); i < count; ++i) {
    const bool grid = m.chance(40);
    const Type type = grid ? m.addStructure() : m.addRecord();
    const std::string number = std::to_string(i);
    if (grid)
      addGrid(m, ("rec" + number).c_str(), type);
    else
      m.addMemory({.role = Role::Input, .name = "rec" + number, .type = type, .count = 16});
    if (m.chance(60))
      m.addMemory({.role = Role::Output, .name = "outr" + number, .type = type, .count = 2});
    if (m.chance(35))
      m.addMemory({.role = Role::Local, .name = "locr" + number, .type = type, .count = 1});
    if (m.chance(20))
      m.addMemory({.role = Role::Table, .name = "tabr" + number, .type = type, .count = 4});
  }
}

// Adds an image of any shape that kernels read.
void addImage(Maker &m) {
  const std::vector<unsigned> channels{1, 2, 4};
  ImageShape image{.dims = 1 + m.below(3), .channels = m.pick(channels), .base = Base(m.below(6))};
  image.width = 1 + m.below(20);
  image.height = image.dims > 1 ? 1 + m.below(9) : 1;
  image.depth = image.dims > 2 ? 1 + m.below(5) : 1;
  m.addMemory({.role = Role::Image,
               .name = "image",
               .type = {isSigned(image.base) ? Base::Int : Base::UInt, 4},
               .count = image.width * image.height * image.depth,
               .image = image});
}

// Adds arrays of the types that the kernel computes with.
void addArrays(Maker &m) {
  const auto scalar = [&] { return Type{m.anyType().base, 1}; };
  if (m.chance(60))
    m.addMemory({.role = Role::Input, .name = "ins", .type = scalar(), .count = 256});
  if (m.chance(40))
    m.addMemory({.role = Role::Input, .name = "inv", .type = m.anyType(), .count = 64});
  if (m.chance(40))
    addGrid(m, "grid", scalar());
  if (m.chance(50))
    addRow(m, {.role = Role::Output, .name = "row", .type = scalar(), .count = 16});
  if (m.chance(35))
    m.addMemory({.role = Role::Output, .name = "outv", .type = m.anyType(), .count = 2});
  if (m.chance(25))
    addRow(m, {.role = Role::Local, .name = "locs", .type = scalar(), .count = 16});
  if (m.chance(20))
    m.addMemory({.role = Role::Program, .name = "prog", .type = m.anyType(), .count = m.chance(50) ? 1u : 4u});
  if (m.chance(40)) {
    const std::vector<Base> bases{Base::Int, Base::Long, Base::ULong};
    m.addMemory(
        {.role = Role::Counters, .name = "counters1", .type = {m.pick(bases), 1}, .count = kAtomicOps * kAtomicSlots});
  }
}

void start(Maker &m) {
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Table, .name = "table", .type = m.chance(50) ? kInt : m.anyType(), .count = 16});
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Local, .name = "loc0", .type = kInt, .count = 1});
  m.addMemory({.role = Role::LocalGiven, .name = "loc1", .type = m.chance(50) ? kInt : m.anyType(), .count = 1});
  addArrays(m);
  if (m.chance(60))
    addRecords(m);
  if (m.chance(35))
    addImage(m);
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter(kInt, int64_t(m.bits()));
}

// Makes a helper function with parameters by value and pointers of every kind.
void helper(Maker &m) {
  const auto inputs = m.memoriesWhere([](const MemoryObject &o) { return isRecord(o.type) && o.role == Role::Input; });
  const auto any = [&] {
    return !inputs.empty() && m.chance(35) ? m.kernel.memories[m.pick(inputs)].type : m.anyType();
  };
  m.function.restrict_ = m.chance(30);
  m.function.result = m.chance(60) ? kInt : any();
  m.takes({.type = kInt, .level = m.atLeast(m.returns)});
  if (m.chance(50))
    m.takes({.type = any()});
  for (unsigned count = m.below(3); count > 0; --count) {
    const std::vector<Space> spaces{Space::Generic, Space::Generic, Space::Private, Space::Local, Space::Global};
    Variable p{.type = any(), .count = m.chance(50) ? 4u : 1u, .pointer = true, .space = m.pick(spaces)};
    if (m.function.restrict_) // memory is then accessed only through the function's own restrict pointers
      p.space = Space::Private;
    p.constant = m.chance(25);
    p.restrict_ = p.space == Space::Private && m.chance(40);
    m.takes(p);
  }
}

std::vector<Type> types() {
  std::vector<Type> result;
  for (unsigned i = 0; i < 20; ++i)
    result.insert(result.end(), {kInt, kUInt});
  for (unsigned base = 0; base < kBases; ++base) {
    const unsigned weight = bitsOf(Base(base)) < 32 || Base(base) == Base::Float ? 1 : 2;
    for (unsigned i = 0; i < weight; ++i) {
      result.insert(result.end(), {{Base(base), 1}, {Base(base), 1}});
      for (unsigned lanes : {2u, 3u, 4u, 4u, 8u, 16u})
        result.push_back({Base(base), uint8_t(lanes)});
    }
  }
  return result;
}

} // namespace

const Choices &memoryChoices() {
  static const Choices choices{
      .types = types(),
      .statements = {{20, makeAssignment},
                     {7, makeStore},
                     {7, makeAtomic},
                     {12, makeBranch},
                     {12, makeLoop},
                     {4, makeSwitch},
                     {7, makeLeave},
                     {7, makeCall},
                     {4, makeLocalStore},
                     {6, makeArray},
                     {6, makeRecord},
                     {8, makeMembers},
                     {7, makePointer},
                     {6, makePointerMove},
                     {8, makeVectorStore},
                     {10, makeExchange},
                     {5, makeLocalAtomics}},
      .leaves = {{45, variableLeaf},
                 {30, elementLeaf},
                 {6, componentLeaf},
                 {8, swizzleLeaf},
                 {12, inputLeaf},
                 {10, gridLeaf},
                 {14, vectorLoadLeaf},
                 {8, imageLeaf},
                 {4, pointsToLeaf},
                 {5, parameterLeaf},
                 {10, queryLeaf},
                 {12, localLeaf},
                 {5, ownOutputLeaf}},
      .local_sizes =
          {{5}, {1}, {2}, {1}, {2}, {37}, {70}, {12, 3}, {8, 4}, {16, 3}, {5, 3, 2}, {20, 2}, {16, 2, 2}, {3, 3, 3}},
      .kernel_statements = 8,
      .helper_statements = 4,
      .helpers = 1,
      .progressions = 0,
      .arrays = 35,
      .functions = 5,
      .start = start,
      .helper = helper};
  return choices;
}

} // namespace lanecl::fuzz
