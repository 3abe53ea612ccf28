// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-groups of one work-item that compute with wide vectors, each value from the last one, as password recovery
// programs do. Such code is one dependency chain, so the device runs two work-groups at a time.
#include "generate/generators.h"

namespace lanecl::fuzz {

namespace {

NDRange range(Maker &m) {
  NDRange range{.global = {1 + m.below(33)}, .local = {1}};
  if (m.chance(20))
    range.global.push_back(1 + m.below(3)), range.local.push_back(1);
  if (m.chance(20))
    range.offset.resize(range.global.size(), m.below(4));
  return range;
}

void start(Maker &m) {
  using Role = MemoryObject::Role;
  m.sees_groups = m.chance(50);
  const auto any = [&] { return Type{m.anyType().base, 1}; };
  m.addMemory({.role = Role::Input, .name = "in0", .type = kUInt, .count = 64});
  m.addMemory({.role = Role::Input, .name = "in1", .type = any(), .count = 64});
  m.addMemory({.role = Role::Zeros, .name = "zeros", .type = kInt, .count = 64});
  m.addMemory({.role = Role::Output, .name = "out0", .type = any(), .count = 16});
  m.addMemory({.role = Role::Output, .name = "out1", .type = any(), .count = 2});
  m.addMemory({.role = Role::Kept, .name = "kept", .type = kInt, .count = 4});
  m.addParameter(kUInt, int64_t(m.bits()));
  m.addParameter(kInt, m.below(70));
}

// Returns the value after one more operation of the chain.
ExprPtr makeLink(Maker &m, Type type, Level level, ExprPtr value) {
  const std::vector<Op> ops{Op::Add, Op::Add, Op::Sub, Op::Xor, Op::Xor, Op::Or, Op::Mul, Op::Rotate, Op::Rotate};
  const Op op = m.pick(ops);
  if (op == Op::Rotate)
    return m.operation(op, type, {value, m.constant(type, 1 + m.below(15))});
  // The operand is mostly a constant, because the result of combining a value with itself is often known.
  return m.operation(op, type,
                     {value, m.chance(75) ? m.constant(type, int64_t(m.bits() >> 34)) : m.leaf(type, level, 1)});
}

// Computes a variable from itself and other values.
void makeLinks(Maker &m, Block &out, const Place &place) {
  Stmt s{.kind = Stmt::Kind::Assign};
  const Type type = m.anyType();
  if (isSigned(type.base) || !m.chooseVariable(place.level, s.target, type))
    return;
  const Level level = m.function.variables[s.target.variable].level;
  ExprPtr value = m.variable(s.target.variable);
  if (m.chance(60)) // otherwise all work-groups compute the same values, and the work is done only once
    value = m.operation(Op::Xor, type, {value, m.converted(type, m.ask(Query::GlobalId))});
  for (unsigned links = 10 + m.below(20); links > 0; --links)
    value = makeLink(m, type, level, value);
  s.values = {value};
  out.push_back(s);
}

std::vector<Type> types() {
  return {{Base::UInt, 8},  {Base::UInt, 8},    {Base::UInt, 16}, {Base::UInt, 16},
          {Base::ULong, 8}, {Base::UShort, 16}, {Base::UInt, 4},  {Base::Int, 8}};
}

} // namespace

const Choices &chainChoices() {
  static const Choices choices{
      .types = types(),
      .statements = {{92, makeLinks}, {2, makeAssignment}, {3, makeStore}, {2, makeUse}, {1, makeGuard}},
      .leaves = {{80, variableLeaf},
                 {6, inputLeaf},
                 {6, componentLeaf},
                 {6, parameterLeaf},
                 {4, queryLeaf},
                 {3, ownOutputLeaf}},
      .kernel_statements = 24,
      .helper_statements = 3,
      .helpers = 0,
      .progressions = 0,
      .agreeing = 10,
      .functions = 30,
      .range = range,
      .start = start};
  return choices;
}

} // namespace lanecl::fuzz
