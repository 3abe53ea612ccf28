// Memory: private arrays, local memory with barriers, pointers, atomics.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

void start(Maker &m) {
  using Role = MemoryObject::Role;
  m.addMemory({.role = Role::Input, .name = "in", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 256});
  m.addMemory({.role = Role::Table, .name = "table", .type = kInt, .count = 16});
  m.addMemory({.role = Role::Counters, .name = "counters", .type = kUInt, .count = kAtomicOps * kAtomicSlots});
  m.addMemory({.role = Role::Output, .name = "out", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 8});
  m.addMemory({.role = Role::Local, .name = "loc0", .type = kInt, .count = 1});
  m.addMemory({.role = Role::LocalGiven, .name = "loc1", .type = kInt, .count = 1});
  m.addParameter(kInt, int64_t(m.below(40)) - 8);
  m.addParameter(kInt, int64_t(m.bits()));
}

} // namespace

const Choices &memoryChoices() {
  static const Choices choices{
      .types = {kInt,
                kInt,
                kUInt,
                kUInt,
                {Base::Float, 1},
                {Base::Long, 1},
                {Base::Int, 2},
                {Base::UInt, 4},
                {Base::Float, 4}},
      .statements = {{24, makeAssignment},
                     {6, makeStore},
                     {6, makeAtomic},
                     {12, makeBranch},
                     {12, makeLoop},
                     {5, makeSwitch},
                     {8, makeLeave},
                     {6, makeCall},
                     {4, makeLocalStore},
                     {8, makeArray},
                     {12, makeExchange}},
      .leaves = {{50, variableLeaf},
                 {25, elementLeaf},
                 {8, componentLeaf},
                 {12, inputLeaf},
                 {5, parameterLeaf},
                 {10, queryLeaf},
                 {12, localLeaf},
                 {4, ownOutputLeaf}},
      .local_sizes = {{5}, {1}, {37}, {70}, {12, 3}, {8, 4}, {16, 3}, {5, 3, 2}, {20, 2}, {16, 2, 2}, {3, 3, 3}},
      .kernel_statements = 16,
      .helper_statements = 6,
      .helpers = 2,
      .progressions = 0,
      .functions = 5,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
