// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expressions whose open bits pass through masks, shifts, casts, shuffles and arithmetic.
#include "generate/open_values.h"

#include <algorithm>

namespace lanecl::fuzz {

Type openType(Maker &m) {
  const std::vector<uint8_t> lanes{1, 1, 1, 2, 3, 3, 4, 4, 4, 8, 16};
  const std::vector<Base> bases{Base::UChar, Base::UChar, Base::Char,  Base::UShort, Base::Short,
                                Base::UInt,  Base::Int,   Base::ULong, Base::Long};
  return {m.pick(bases), m.pick(lanes)};
}

// Returns the visible variables that may have open bits and that `accept` accepts.
std::vector<unsigned> openVariables(const Maker &m, const std::function<bool(const Variable &)> &accept) {
  std::vector<unsigned> result;
  std::copy_if(m.visible.begin(), m.visible.end(), std::back_inserter(result), [&](unsigned i) {
    const Variable &v = m.function.variables[i];
    return v.open && accept(v);
  });
  return result;
}

namespace {

using Kind = Expr::Kind;

// Returns any integer type of that size, scalar or vector. Vectors of three are left out, because they have a fourth
// component.
Type typeOfSize(Maker &m, unsigned bytes) {
  std::vector<Type> types;
  for (unsigned base = 0; base < kIntegerBases; ++base)
    for (uint8_t lanes : {1, 2, 4, 8, 16})
      if (const Type type{Base(base), lanes}; bytesOf(type) == bytes)
        types.push_back(type);
  return m.pick(types);
}

// Returns an open variable or a component of one. If there is none, returns a value that is open by itself.
ExprPtr openLeaf(Maker &m, Type type) {
  const auto same = openVariables(m, [&](const Variable &v) { return v.type == type; });
  if (!same.empty() && m.chance(80))
    return m.elementOf(m.pick(same));
  const auto wider = openVariables(
      m, [&](const Variable &v) { return v.type.base == type.base && isVector(v.type) && type.lanes == 1; });
  if (!wider.empty() && m.chance(70)) {
    const ExprPtr whole = m.elementOf(m.pick(wider));
    return make({.kind = Kind::Component, .type = type, .args = {whole}, .number = m.below(whole->type.lanes)});
  }
  if (const ExprPtr e = m.chance(50) ? openReinterpretation(m, type) : nullptr)
    return e;
  return settledValue(m, type);
}

ExprPtr reinterpreted(Maker &m, Type type, unsigned depth) {
  const Type from = typeOfSize(m, bytesOf(type));
  return make({.kind = Kind::Reinterpret, .type = type, .args = {openExpr(m, from, depth)}});
}

// Returns a value of which only some components are written, the others being uninitialized.
ExprPtr piecewise(Maker &m, Type type, unsigned depth) {
  std::vector<Type> types{typeOfSize(m, bytesOf(type))};
  const unsigned quarter = bytesOf(type) / 4;
  if (quarter > 0 && bytesOf(type) % 4 == 0 && quarter <= 8)
    types.push_back({unsignedOfBits(quarter * 8), 3});
  const Type from = m.pick(types);
  if (from.lanes == 1 || type.lanes == 3)
    return reinterpreted(m, type, depth);
  Swizzle written = m.swizzle(from.lanes, 1 + m.below(from.lanes), true);
  return make({.kind = Kind::Piecewise,
               .type = type,
               .args = {m.chance(60) ? m.expr(from, Level::Lane, depth) : openExpr(m, from, depth)},
               .number = m.below(3),
               .swizzle = written});
}

// Returns components of an open vector.
ExprPtr swizzled(Maker &m, Type type, unsigned depth) {
  const std::vector<uint8_t> lanes{2, 3, 4, 4, 8, 16};
  const ExprPtr whole = openExpr(m, {type.base, m.pick(lanes)}, depth);
  if (type.lanes == 1)
    return make({.kind = Kind::Component, .type = type, .args = {whole}, .number = m.below(whole->type.lanes)});
  return make({.kind = Kind::Swizzle,
               .type = type,
               .args = {whole},
               .swizzle = m.swizzle(whole->type.lanes, type.lanes, false)});
}

// Makes a shuffle. Components of its mask may be unknown, too.
ExprPtr shuffled(Maker &m, Type type, unsigned depth) {
  if (type.lanes == 1 || type.lanes == 3)
    return swizzled(m, type, depth);
  const std::vector<uint8_t> lanes{2, 4, 4, 8, 16};
  const Type from{type.base, m.pick(lanes)}, mask{unsignedOf(type.base), type.lanes};
  Expr e{.kind = Kind::Shuffle, .type = type, .args = {openExpr(m, from, depth)}};
  if (m.chance(50))
    e.args.push_back(m.chance(50) ? m.expr(from, Level::Lane, depth) : openExpr(m, from, depth));
  Expr constants{.kind = Kind::Construct, .type = mask};
  for (unsigned i = 0; i < mask.lanes; ++i)
    constants.args.push_back(m.constant({mask.base, 1}, m.below(32)));
  const unsigned way = m.below(10);
  e.args.push_back(way < 6   ? make(std::move(constants))
                   : way < 8 ? m.expr(mask, Level::Lane, 1)
                             : openExpr(m, mask, depth));
  return make(std::move(e));
}

// Builds a vector from known and open components.
ExprPtr constructed(Maker &m, Type type, unsigned depth) {
  if (type.lanes == 1)
    return openLeaf(m, type);
  const Type scalar{type.base, 1};
  Expr e{.kind = Kind::Construct, .type = type};
  for (unsigned i = 0, parts = m.chance(20) ? 1 : type.lanes; i < parts; ++i)
    e.args.push_back(m.chance(30) ? openExpr(m, scalar, depth) : m.leaf(scalar, Level::Lane, 0));
  return make(std::move(e));
}

// Returns an operation on an open value and others, many of which make some of its bits known.
ExprPtr combined(Maker &m, Type type, unsigned depth) {
  const std::vector<Op> ops{Op::And, Op::And, Op::Or,  Op::Or,  Op::Xor,  Op::Xor,       Op::Add,
                            Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Hadd, Op::Bitselect, Op::Complement};
  const Op op = m.pick(ops);
  std::vector<ExprPtr> args{openExpr(m, type, depth)};
  while (args.size() < infoOf(op).operands)
    args.push_back(m.chance(35)   ? m.anyConstant(type)
                   : m.chance(60) ? m.expr(type, Level::Lane, 1)
                                  : openExpr(m, type, depth));
  if (infoOf(op).operands == 2 && op != Op::Sub && m.chance(30))
    std::swap(args[0], args[1]);
  return m.operation(op, type, std::move(args));
}

ExprPtr moved(Maker &m, Type type, unsigned depth) {
  const std::vector<Op> ops{Op::Shl, Op::Shr, Op::Shr, Op::Rotate};
  return m.operation(m.pick(ops), type, {openExpr(m, type, depth), m.constant(type, m.below(bitsOf(type.base)))});
}

ExprPtr converted(Maker &m, Type type, unsigned depth) {
  const Type from{Base(m.below(kIntegerBases)), type.lanes};
  return make({.kind = m.chance(80) ? Kind::Convert : Kind::ConvertSat,
               .type = type,
               .args = {openExpr(m, from, depth)},
               .number = m.below(2)});
}

// Returns a choice between two values, where the condition, the values or both may be open.
ExprPtr chosen(Maker &m, Type type, unsigned depth) {
  const auto arm = [&] { return m.chance(50) ? m.expr(type, Level::Lane, 1) : openExpr(m, type, depth); };
  if (type.lanes > 1 && m.chance(60)) {
    const Type mask{maskOf(type.base), type.lanes};
    const ExprPtr holds = m.chance(50) ? m.expr(mask, Level::Lane, 1) : openExpr(m, mask, depth);
    return make({.kind = Kind::VectorSelect, .type = type, .args = {holds, arm(), arm()}});
  }
  const ExprPtr condition = m.chance(60) ? openCondition(m) : m.condition(Level::Lane, 1);
  return make({.kind = Kind::Select, .type = type, .args = {condition, arm(), arm()}});
}

} // namespace

// Returns an expression that may have open bits.
ExprPtr openExpr(Maker &m, Type type, unsigned depth) {
  if (depth == 0)
    return openLeaf(m, type);
  --depth;
  switch (m.below(14)) {
  case 0:
  case 1: return combined(m, type, depth);
  case 2: return moved(m, type, depth);
  case 3:
  case 4: return reinterpreted(m, type, depth);
  case 5: return piecewise(m, type, depth);
  case 6:
  case 7: return swizzled(m, type, depth);
  case 8: return shuffled(m, type, depth);
  case 9: return constructed(m, type, depth);
  case 10: return converted(m, type, depth);
  case 11: return chosen(m, type, depth);
  default: return openLeaf(m, type);
  }
}

// Makes a condition on a value with open bits. The value is a settled one, because flow that depends on uninitialized
// memory is invalid.
ExprPtr openCondition(Maker &m) {
  const std::vector<Op> compare{Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::Equal, Op::NotEqual};
  const auto settled = openVariables(m, [](const Variable &v) { return v.fixed && isPlain(v); });
  ExprPtr value;
  if (!settled.empty() && m.chance(80))
    value = m.variable(m.pick(settled));
  else
    value = settledValue(m, {Base(m.below(kIntegerBases)), 1});
  const Type type = value->type;
  if (type == kInt && m.chance(20))
    return value;
  const ExprPtr holds =
      m.operation(m.pick(compare), kInt, {value, m.chance(60) ? m.anyConstant(type) : m.expr(type, Level::Lane, 1)});
  if (m.chance(20))
    return m.operation(m.chance(50) ? Op::LogicalAnd : Op::LogicalOr, kInt, {holds, m.condition(Level::Lane, 1)});
  return m.chance(10) ? m.operation(Op::LogicalNot, kInt, {holds}) : holds;
}

} // namespace lanecl::fuzz
