// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values some of whose bits OpenCL C leaves open: where expressions create them, and how expressions pass them on.
#include "evaluate/numbers.h"
#include "evaluate/work_group.h"

#include <cstring>
#include <optional>

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kAll = ~uint64_t(0);

bool isDivision(Op op) {
  return op == Op::Div || op == Op::Rem;
}

// Returns whether OpenCL C leaves only the result open for some operands, rather than making the behavior undefined.
bool mayBeOpen(Op op) {
  return isDivision(op) || op == Op::Mul24 || op == Op::Mad24 || op == Op::Clamp;
}

// Returns the result of an operator whose two operands are the same variable, if the result does not depend on the
// variable. For example, v == v is true.
std::optional<bool> withItself(Op op) {
  switch (op) {
  case Op::Xor:
  case Op::Sub:
  case Op::Less:
  case Op::Greater:
  case Op::NotEqual: return false;
  case Op::Equal:
  case Op::LessEqual:
  case Op::GreaterEqual: return true;
  default: return std::nullopt;
  }
}

bool isOneVariable(const Expr &e) {
  using Kind = Expr::Kind;
  return e.args.size() == 2 && e.args[0]->kind == Kind::Variable && e.args[1]->kind == Kind::Variable &&
         e.args[0]->variable == e.args[1]->variable;
}

Scalar at(const Value &v, unsigned i) {
  return {v.c[i], v.unknown[i]};
}

void put(Value &v, unsigned i, Scalar s) {
  v.c[i] = s.bits;
  v.unknown[i] = s.unknown;
}

// The components as bytes, as they lie in memory. All bits beyond them are unknown.
struct Bytes {
  unsigned char bits[kMaxLanes * 8], unknown[kMaxLanes * 8];

  explicit Bytes(uint64_t choice) {
    std::memset(unknown, 0xff, sizeof unknown);
    for (size_t i = 0; i < sizeof bits; i += sizeof choice)
      std::memcpy(bits + i, &choice, sizeof choice);
  }
  void put(Base base, unsigned i, Scalar s) { // the host is little endian, as the device is
    const unsigned size = bitsOf(base) / 8;
    std::memcpy(bits + i * size, &s.bits, size);
    std::memcpy(unknown + i * size, &s.unknown, size);
  }
  Value as(Type type) const {
    const unsigned size = bitsOf(type.base) / 8;
    Value result;
    for (unsigned i = 0; i < type.lanes; ++i) {
      std::memcpy(&result.c[i], bits + i * size, size);
      std::memcpy(&result.unknown[i], unknown + i * size, size);
    }
    return result;
  }
};

} // namespace

// Returns a value all of whose bits are unknown.
Scalar WorkGroup::anything(Base base) const {
  return {truncated(base, launch.choice), truncated(base, kAll)};
}

Value WorkGroup::knownValue(const ExprPtr &e, Item &item) {
  const Value result = value(e, item);
  if (!isKnown(result))
    throw Rejected("a value that must be known is left open");
  return result;
}

// Records that the expression has to be printed with its guard, because its behavior would be undefined without it.
void WorkGroup::unguard(const Expr &e) {
  if (!e.guarded)
    launch.unguarded.expressions.insert(&e);
}

// Returns whether OpenCL C leaves the result open when the operation is printed without its guard.
bool WorkGroup::isLeftOpen(const Expr &e) const {
  return e.plain && !e.guarded && (e.kind == Expr::Kind::Convert || mayBeOpen(e.op));
}

// Evaluates an operation with unknown bits in its operands. It needs a guard if some value of these bits would make it
// undefined.
Value WorkGroup::operationOnUnknown(const Expr &e, const Value (&args)[3]) {
  const Type type = e.args[0]->type;
  const std::optional<bool> constant = withItself(e.op);
  const bool is_settled = args[0].settled && args[1].settled && args[2].settled;
  if (isDivision(e.op) && !args[1].settled)
    throw Rejected("a division by an uninitialized value");
  Value result;
  result.settled = is_settled;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const Scalar operands[3] = {at(args[0], i), at(args[1], i), at(args[2], i)};
    const Result r = operate(e.op, type, operands[0].bits, operands[1].bits, operands[2].bits);
    const uint64_t unknown = unknownBits(e.op, type, e.type.base, operands);
    put(result, i, r.undefined && isLeftOpen(e) ? anything(e.type.base) : Scalar{r.bits, unknown});
    if (isOneVariable(e) && is_settled && constant)
      put(result, i, {!*constant ? 0 : e.type.lanes == 1 ? 1 : truncated(e.type.base, kAll)});
    else if (mayOverflow(e.op, type, operands) || (mayBeOpen(e.op) && unknown != 0 && !e.plain) ||
             (r.undefined && !isLeftOpen(e)))
      unguard(e);
  }
  return result;
}

// It may be unknown whether the right operand is evaluated.
Value WorkGroup::logicalOnUnknown(const Expr &e, bool left, Item &item) {
  Value result;
  if (e.op == Op::LogicalNot) {
    put(result, 0, {!left, 1});
    return result;
  }
  const Truth right = truthOf(value(e.args[1], item));
  const bool is_or = e.op == Op::LogicalOr, decides = right.known && right.holds == is_or;
  put(result, 0, {is_or ? left || right.holds : left && right.holds, !decides});
  return result;
}

// Converts a value with unknown bits. Nothing is known of the result if a floating-point number has unknown bits.
Value WorkGroup::conversionOfUnknown(const Expr &e, const Value &v) {
  const Base to = e.type.base, from = e.args[0]->type.base;
  const bool saturated = e.kind == Expr::Kind::ConvertSat;
  const bool is_cut = !isInteger(from) && isInteger(to) && !saturated, guards = is_cut && !e.plain;
  if (guards)
    unguard(e);
  Value result;
  result.settled = v.settled;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const bool is_open = !isInteger(from) && v.unknown[i] != 0;
    put(result, i,
        is_open ? anything(to)
                : Scalar{convert(to, from, v.c[i], saturated || guards, Rounding(e.number)),
                         unknownBitsOfConversion(to, from, at(v, i), saturated)});
    if (!isInteger(from) && isInteger(to) && !saturated && !is_open &&
        (isNan(from, v.c[i]) || !fits(to, convertToInteger(from, v.c[i], Rounding(e.number)))))
      put(result, i, anything(to));
  }
  return result;
}

// Evaluates ?:. If the condition is unknown, the bits in which the two values differ become unknown.
Value WorkGroup::selected(const Expr &e, Item &item) {
  const Truth truth = truthOf(value(e.args[0], item));
  Value result = value(e.args[truth.holds ? 1 : 2], item);
  if (truth.known)
    return result;
  const Value other = value(e.args[truth.holds ? 2 : 1], item);
  for (unsigned i = 0; i < (e.pointer ? 1 : e.type.lanes); ++i)
    put(result, i, either(true, at(result, i), at(other, i)));
  result.settled &= other.settled;
  return result;
}

// Reinterprets the bits. The fourth component of a vector of three may hold anything.
Value WorkGroup::reinterpreted(Type to, Type from, const Value &v) const {
  Bytes bytes(launch.choice);
  for (unsigned i = 0; i < from.lanes; ++i)
    bytes.put(from.base, i, at(v, i));
  Value result = bytes.as(to);
  result.settled = v.settled;
  return result;
}

// Assembles a value from the components that the swizzle names, by way of memory. Bits that no component covers are
// unknown.
Value WorkGroup::piecewise(const Expr &e, const Value &v) const {
  const Type from = e.args[0]->type;
  Bytes bytes(launch.choice);
  for (uint8_t i : e.swizzle.components)
    bytes.put(from.base, i, at(v, i));
  Value result = bytes.as(e.type);
  result.settled = v.settled && e.swizzle.components.size() == from.lanes && from.lanes != 3;
  return result;
}

// Evaluates shuffle and shuffle2. Only the low bits of a mask's component count: as many as it takes to number the
// source's components.
Value WorkGroup::shuffled(const Expr &e, Item &item) {
  const unsigned lanes = e.args[0]->type.lanes, most = lanes * unsigned(e.args.size() - 1) - 1;
  const Value first = value(e.args[0], item), second = e.args.size() > 2 ? value(e.args[1], item) : Value{},
              mask = value(e.args.back(), item);
  Value result;
  result.settled = first.settled && second.settled && mask.settled;
  for (unsigned i = 0; i < e.type.lanes; ++i) {
    const unsigned number = unsigned(mask.c[i]) & most;
    put(result, i, number < lanes ? at(first, number) : at(second, number - lanes));
    if ((mask.unknown[i] & most) != 0)
      result.unknown[i] = truncated(e.type.base, kAll);
  }
  return result;
}

} // namespace lanecl::fuzz
