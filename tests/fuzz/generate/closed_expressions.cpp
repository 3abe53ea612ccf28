// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions that contain open bits although their value is known: the bits are masked off, compared with themselves,
// or chosen between equal values.
#include "generate/open_values.h"

namespace lanecl::fuzz {

namespace {

using Kind = Expr::Kind;

ExprPtr op(Maker &m, Op operation, ExprPtr a, ExprPtr b) {
  const Type type = a->type;
  return m.operation(operation, type, {std::move(a), std::move(b)});
}

ExprPtr known(Maker &m, Type type) {
  return m.expr(type, Level::Lane, 1);
}

// Makes (v & 0) | x and the like.
ExprPtr maskedOff(Maker &m, Type type, unsigned depth) {
  const ExprPtr open = openExpr(m, type, depth), zero = m.constant(type, 0), ones = m.constant(type, -1);
  switch (m.below(4)) {
  case 0: return op(m, Op::Or, op(m, Op::And, open, zero), known(m, type));
  case 1: return op(m, Op::And, op(m, Op::Or, open, ones), known(m, type));
  case 2: return op(m, Op::Xor, op(m, Op::Mul, open, zero), known(m, type));
  default: { // some bits of the one value, the other bits of the other
    const ExprPtr mask = m.constant(type, int64_t(m.bits()));
    const ExprPtr rest = m.operation(Op::Complement, type, {mask});
    const ExprPtr mixed = op(m, Op::Or, op(m, Op::And, open, mask), op(m, Op::And, known(m, type), rest));
    return op(m, Op::And, mixed, rest);
  }
  }
}

// Returns the known three quarters of a vector of three that was reinterpreted as a scalar: as_uint(v3) & 0xffffff.
ExprPtr lowThree(Maker &m, Type type) {
  const unsigned bits = bitsOf(type.base);
  if (type.lanes > 1 || bits == 8)
    return maskedOff(m, type, 1);
  ExprPtr whole = openReinterpretation(m, type); // not null, because the type has two bytes or more
  if (!whole)
    return maskedOff(m, type, 1);
  if (m.chance(40)) { // by way of a vector of four
    const Type four{unsignedOfBits(bits / 4), 4};
    whole = make({.kind = Kind::Reinterpret, .type = type, .args = {openReinterpretation(m, four)}});
  }
  if (m.chance(50))
    return op(m, Op::And, whole, m.constant(type, int64_t((uint64_t(1) << (bits / 4 * 3)) - 1)));
  return m.operation(Op::Shl, type, {whole, m.constant(type, bits / 4)});
}

std::vector<unsigned> settledOf(const Maker &m) {
  return openVariables(m, [](const Variable &v) { return v.fixed && isPlain(v); });
}

// Makes v == v, v - v or v ^ v.
ExprPtr withItself(Maker &m, Type type, unsigned depth) {
  const auto candidates = settledOf(m);
  if (candidates.empty())
    return maskedOff(m, type, depth);
  const ExprPtr v = m.variable(m.pick(candidates));
  if (m.chance(40))
    return op(m, Op::Xor, m.converted(type, op(m, m.chance(50) ? Op::Xor : Op::Sub, v, v)), known(m, type));
  const std::vector<Op> compare{Op::Equal, Op::NotEqual, Op::LessEqual, Op::Greater};
  const ExprPtr holds = m.operation(m.pick(compare), kInt, {v, v});
  return make({.kind = Kind::Select, .type = type, .args = {holds, known(m, type), known(m, type)}});
}

// Selects between values that differ only in bits that are masked off afterwards.
ExprPtr chosenAlike(Maker &m, Type type) {
  const int64_t mask = m.chance(30) ? 0 : int64_t(m.bits());
  const ExprPtr x = known(m, type), other = mask ? op(m, Op::Xor, x, m.constant(type, mask)) : x;
  ExprPtr either = make({.kind = Kind::Select, .type = type, .args = {openCondition(m), x, other}});
  return mask ? op(m, Op::And, either, m.constant(type, ~mask)) : either;
}

// Makes a condition that its other operand decides, or that follows from a range.
ExprPtr decided(Maker &m, Type type) {
  const auto candidates = settledOf(m);
  ExprPtr holds;
  if (!candidates.empty() && m.chance(50)) {
    const ExprPtr v = m.variable(m.pick(candidates)), most = m.constant(v->type, m.below(100));
    holds = m.chance(50) ? m.operation(Op::LessEqual, kInt, {op(m, Op::Min, v, most), most})
                         : m.operation(Op::GreaterEqual, kInt, {op(m, Op::Max, v, most), most});
  } else {
    const bool is_or = m.chance(50);
    std::vector<ExprPtr> args{openCondition(m), m.constant(kInt, is_or)};
    if (m.chance(50))
      std::swap(args[0], args[1]);
    holds = m.operation(is_or ? Op::LogicalOr : Op::LogicalAnd, kInt, std::move(args));
  }
  return make({.kind = Kind::Select, .type = type, .args = {holds, known(m, type), known(m, type)}});
}

// Selects a known component of a vector that has open bits in other components.
ExprPtr otherComponent(Maker &m, Type type, unsigned depth) {
  if (type.lanes > 1)
    return maskedOff(m, type, depth);
  const std::vector<uint8_t> sizes{2, 3, 4, 4, 8};
  const Type whole{type.base, m.pick(sizes)};
  const unsigned number = m.below(whole.lanes);
  Expr e{.kind = Kind::Construct, .type = whole};
  for (unsigned i = 0; i < whole.lanes; ++i)
    e.args.push_back(i == number    ? known(m, type)
                     : m.chance(60) ? openExpr(m, type, depth)
                                    : m.leaf(type, Level::Lane, 0));
  ExprPtr vector = make(std::move(e));
  if (m.chance(40))
    vector = m.operation(Op::Xor, whole, {vector, m.expr(whole, Level::Lane, 1)});
  return make({.kind = Kind::Component, .type = type, .args = {vector}, .number = number});
}

} // namespace

// Returns an expression with open operands whose value is known all the same, such as v ^ v.
ExprPtr closedExpr(Maker &m, Type type, unsigned depth) {
  switch (m.below(12)) {
  case 0:
  case 1: return maskedOff(m, type, depth);
  case 2:
  case 3: return lowThree(m, type);
  case 4:
  case 5: return withItself(m, type, depth);
  case 6:
  case 7: return chosenAlike(m, type);
  case 8:
  case 9: return decided(m, type);
  default: return otherComponent(m, type, depth);
  }
}

} // namespace lanecl::fuzz
