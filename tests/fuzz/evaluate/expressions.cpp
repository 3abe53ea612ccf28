// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Evaluates expressions for one work-item.
#include "evaluate/numbers.h"
#include "evaluate/work_group.h"

#include <cmath>

namespace lanecl::fuzz {

namespace {

Value scalar(uint64_t bits) {
  Value v;
  v.c[0] = bits;
  return v;
}

// Returns the number if it is whole and its magnitude is at most `most`; otherwise zero, marked as undefined. Relaxed
// kernels compute with such numbers only, because these are exact in whatever order they are added.
Result smallOr0(Base base, uint64_t bits, int most) {
  const double value = toNumber(base, bits);
  if (std::abs(value) <= most && value == std::trunc(value))
    return {bits};
  return {0, true};
}

} // namespace

// Returns where on the work-item's stack a variable of the running function starts.
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
  case Kind::Part: return part(e, item);
  case Kind::Address: return address(e, item);
  case Kind::VectorLoad: return vectorLoad(e, item);
  case Kind::PointsTo: return scalar(pointsTo(e, item));
  case Kind::ReadImage: return readImage(e, item);
  case Kind::Parameter: return scalar(kernel.parameters[size_t(e.number)].bits);
  case Kind::Query: return scalar(truncated(e.type.base, query(e, item)));
  case Kind::Disguise: return value(e.args[0], item);
  case Kind::Operation: return infoOf(e.op).form == Form::Logical ? logical(e, item) : operation(e, item);
  case Kind::Select: return selected(e, item);
  case Kind::Shuffle: return shuffled(e, item);
  default: return compound(e, item);
  }
}

// Evaluates &&, || and !. The right operand is evaluated only if the left one does not decide.
Value WorkGroup::logical(const Expr &e, Item &item) {
  const Truth truth = truthOf(value(e.args[0], item));
  const bool left = truth.holds;
  if (!truth.known)
    return logicalOnUnknown(e, left, item);
  if (e.op == Op::LogicalNot)
    return scalar(!left);
  if (left == (e.op == Op::LogicalOr))
    return scalar(left);
  const Truth right = truthOf(value(e.args[1], item));
  Value result = scalar(right.holds);
  result.unknown[0] = !right.known;
  return result;
}

// Evaluates an operation component by component. If it is undefined for these operands, the expression is noted to need
// its guard, unless OpenCL C leaves only the result open.
Value WorkGroup::operation(const Expr &e, Item &item) {
  Value args[3];
  for (size_t i = 0; i < e.args.size(); ++i)
    args[i] = value(e.args[i], item);
  if (!isKnown(args[0]) || !isKnown(args[1]) || !isKnown(args[2]))
    return operationOnUnknown(e, args);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    Result r = operate(e.op, e.args[0]->type, args[0].c[i], args[1].c[i], args[2].c[i]);
    if (kernel.relaxed && !isInteger(e.type.base))
      r = smallOr0(e.type.base, r.bits, kMostComputed);
    const Scalar s = r.undefined && isLeftOpen(e) ? anything(e.type.base) : Scalar{r.bits};
    if (r.undefined && !isLeftOpen(e))
      unguard(e);
    result.c[i] = s.bits;
    result.unknown[i] = s.unknown;
  }
  return result;
}

// Converts to a floating-point type in a relaxed kernel, where numbers must stay small and whole.
Value WorkGroup::toSmallNumber(const Expr &e, const Value &v) {
  const Base to = e.type.base, from = e.args[0]->type.base;
  const auto rounding = Rounding(e.number);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const Result r = smallOr0(to, convert(to, from, v.c[i], false, rounding), kMostAtFirst);
    if (r.undefined)
      unguard(e);
    // The guarded text converts by way of an int, so that the result is always defined.
    const uint64_t whole = convert(to, Base::Int, convert(Base::Int, from, v.c[i], true, rounding), false);
    result.c[i] = r.undefined ? smallOr0(to, whole, kMostAtFirst).bits : r.bits;
  }
  return result;
}

// Converts each component. A number that the integer type cannot hold needs a guard, which makes the conversion
// saturate.
Value WorkGroup::conversion(const Expr &e, const Value &v) {
  const Base to = e.type.base, from = e.args[0]->type.base;
  if (kernel.relaxed && !isInteger(to) && from != to)
    return toSmallNumber(e, v);
  if (!isKnown(v))
    return conversionOfUnknown(e, v);
  Value result;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const bool saturated = e.kind == Expr::Kind::ConvertSat;
    const auto rounding = Rounding(e.number);
    const bool guards = !isInteger(from) && isInteger(to) && !saturated &&
                        (isNan(from, v.c[i]) || !fits(to, convertToInteger(from, v.c[i], rounding)));
    if (guards && isLeftOpen(e)) {
      const Scalar s = anything(to);
      result.c[i] = s.bits;
      result.unknown[i] = s.unknown;
      continue;
    }
    if (guards)
      unguard(e);
    result.c[i] = convert(to, from, v.c[i], saturated || guards, rounding);
  }
  return result;
}

// The guarded text turns a NaN into zero.
Value WorkGroup::reinterpretation(const Expr &e, const Value &v) {
  Value result = reinterpreted(e.type, e.args[0]->type, v);
  for (unsigned i = 0; i < e.type.lanes && e.number != 0; ++i)
    if (isNan(e.type.base, result.c[i])) {
      result.c[i] = 0;
      unguard(e);
    }
  return result;
}

// Evaluates the kinds of expression that pick, join or convert components of their operands.
Value WorkGroup::compound(const Expr &e, Item &item) {
  using Kind = Expr::Kind;
  const Type from = e.args[0]->type;
  const Value first = value(e.args[0], item);
  Value result;
  result.settled = first.settled;
  const auto keep = [&](unsigned i, const Value &v, size_t component) {
    result.c[i] = v.c[component];
    result.unknown[i] = v.unknown[component];
    result.settled &= v.settled;
  };
  switch (e.kind) {
  case Kind::VectorSelect: {
    const Value yes = value(e.args[1], item), no = value(e.args[2], item);
    const unsigned sign = bitsOf(from.base) - 1;
    for (unsigned i = 0; i < e.type.lanes; ++i) {
      keep(i, first.c[i] >> sign ? yes : no, i);
      if (first.unknown[i] >> sign)
        result.unknown[i] = yes.unknown[i] | no.unknown[i] | (yes.c[i] ^ no.c[i]);
    }
    result.settled &= yes.settled && no.settled;
    return result;
  }
  case Kind::Convert:
  case Kind::ConvertSat: return conversion(e, first);
  case Kind::Reinterpret: return reinterpretation(e, first);
  case Kind::Piecewise: return piecewise(e, first);
  case Kind::Component: keep(0, first, size_t(e.number)); return result;
  case Kind::Swizzle:
    for (unsigned i = 0; i < e.type.lanes; ++i)
      keep(i, first, e.swizzle.components[i]);
    return result;
  default: // Kind::Construct
    for (unsigned i = 0; i < e.type.lanes; ++i)
      keep(i, i == 0 || e.args.size() == 1 ? first : value(e.args[i], item), 0);
    return result;
  }
}

} // namespace lanecl::fuzz
