// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluate/numbers.h"
#include "evaluate/work_group.h"

#include <cmath>
#include <cstring>

namespace lanecl::fuzz {

namespace {

Value scalar(uint64_t bits) {
  Value v;
  v.c[0] = bits;
  return v;
}

Value reinterpreted(Type to, Type from, const Value &v) {
  unsigned char bytes[kMaxLanes * 8] = {};
  const unsigned from_bytes = bitsOf(from.base) / 8, to_bytes = bitsOf(to.base) / 8;
  for (unsigned i = 0; i < from.lanes; ++i)
    std::memcpy(bytes + i * from_bytes, &v.c[i], from_bytes); // the host is little endian, as the device is
  Value result;
  for (unsigned i = 0; i < to.lanes; ++i)
    std::memcpy(&result.c[i], bytes + i * to_bytes, to_bytes);
  return result;
}

Result smallOr0(Base base, uint64_t bits, int most) {
  const double value = toNumber(base, bits);
  if (std::abs(value) <= most && value == std::trunc(value))
    return {bits};
  return {0, true};
}

} // namespace

size_t WorkGroup::place(const Item &item, unsigned variable) const {
  return item.base + launch.variable_places[function][variable];
}

Value WorkGroup::value(const ExprPtr &pointer, Item &item) {
  spend();
  const Expr &e = *pointer;
  using Kind = Expr::Kind;
  switch (e.kind) {
  case Kind::Constant:
    return scalar(isInteger(e.type.base) ? truncated(e.type.base, uint64_t(e.number))
                                         : fromNumber(e.type.base, double(e.number) * 0.25));
  case Kind::Variable:
  case Kind::Element:
  case Kind::Load: return load(e, item);
  case Kind::Address: return address(e, item);
  case Kind::VectorLoad: return vectorLoad(e, item);
  case Kind::PointsTo: return scalar(pointsTo(e, item));
  case Kind::ReadImage: return readImage(e, item);
  case Kind::Parameter: return scalar(kernel.parameters[size_t(e.number)].bits);
  case Kind::Query: return scalar(truncated(e.type.base, query(e, item)));
  case Kind::Disguise: return value(e.args[0], item);
  case Kind::Operation: return infoOf(e.op).form == Form::Logical ? logical(e, item) : operation(e, item);
  case Kind::Select: return value(e.args[bits(e.args[0], item) != 0 ? 1 : 2], item);
  default: return compound(e, item);
  }
}

Value WorkGroup::logical(const Expr &e, Item &item) {
  const bool left = bits(e.args[0], item) != 0;
  if (e.op == Op::LogicalNot)
    return scalar(!left);
  if (left == (e.op == Op::LogicalOr))
    return scalar(left);
  return scalar(bits(e.args[1], item) != 0);
}

Value WorkGroup::operation(const Expr &e, Item &item) {
  Value args[3];
  for (size_t i = 0; i < e.args.size(); ++i)
    args[i] = value(e.args[i], item);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    Result r = operate(e.op, e.args[0]->type, args[0].c[i], args[1].c[i], args[2].c[i]);
    if (kernel.relaxed && !isInteger(e.type.base))
      r = smallOr0(e.type.base, r.bits, kMostComputed);
    if (r.undefined && !e.guarded)
      launch.unguarded.expressions.insert(&e);
    result.c[i] = r.bits;
  }
  return result;
}

Value WorkGroup::toSmallNumber(const Expr &e, const Value &v) {
  const Base to = e.type.base, from = e.args[0]->type.base;
  const auto rounding = Rounding(e.number);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const Result r = smallOr0(to, convert(to, from, v.c[i], false, rounding), kMostAtFirst);
    if (r.undefined && !e.guarded)
      launch.unguarded.expressions.insert(&e);
    // With its guard it goes through an int.
    const uint64_t whole = convert(to, Base::Int, convert(Base::Int, from, v.c[i], true, rounding), false);
    result.c[i] = r.undefined ? smallOr0(to, whole, kMostAtFirst).bits : r.bits;
  }
  return result;
}

Value WorkGroup::conversion(const Expr &e, const Value &v) {
  const Base to = e.type.base, from = e.args[0]->type.base;
  if (kernel.relaxed && !isInteger(to) && from != to)
    return toSmallNumber(e, v);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const bool saturated = e.kind == Expr::Kind::ConvertSat;
    const auto rounding = Rounding(e.number);
    const bool guards =
        !isInteger(from) && isInteger(to) && !saturated && !fits(to, convertToInteger(from, v.c[i], rounding));
    if (guards && !e.guarded)
      launch.unguarded.expressions.insert(&e);
    // With its guard it goes through an int that is saturated; where it fits into that, so does the conversion without.
    const uint64_t bits = guards ? convert(Base::Int, from, v.c[i], true, rounding) : v.c[i];
    result.c[i] = convert(to, guards ? Base::Int : from, bits, saturated, rounding);
  }
  return result;
}

// With its guard a NaN is zero.
Value WorkGroup::reinterpretation(const Expr &e, const Value &v) {
  Value result = reinterpreted(e.type, e.args[0]->type, v);
  for (unsigned i = 0; i < e.type.lanes && e.number != 0; ++i)
    if (isNan(e.type.base, result.c[i])) {
      result.c[i] = 0;
      if (!e.guarded)
        launch.unguarded.expressions.insert(&e);
    }
  return result;
}

Value WorkGroup::compound(const Expr &e, Item &item) {
  using Kind = Expr::Kind;
  const Type from = e.args[0]->type;
  const Value first = value(e.args[0], item);
  Value result;
  switch (e.kind) {
  case Kind::VectorSelect: {
    const Value yes = value(e.args[1], item), no = value(e.args[2], item);
    for (unsigned i = 0; i < e.type.lanes; ++i)
      result.c[i] = first.c[i] >> (bitsOf(from.base) - 1) ? yes.c[i] : no.c[i];
    return result;
  }
  case Kind::Convert:
  case Kind::ConvertSat: return conversion(e, first);
  case Kind::Reinterpret: return reinterpretation(e, first);
  case Kind::Component: return scalar(first.c[size_t(e.number)]);
  case Kind::Swizzle:
    for (unsigned i = 0; i < e.type.lanes; ++i)
      result.c[i] = first.c[e.swizzle.components[i]];
    return result;
  default: // Construct
    for (unsigned i = 0; i < e.type.lanes; ++i)
      result.c[i] = i == 0 || e.args.size() == 1 ? first.c[0] : bits(e.args[i], item);
    return result;
  }
}

} // namespace lanecl::fuzz
