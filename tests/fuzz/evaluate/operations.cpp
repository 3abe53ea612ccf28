// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluate/operations.h"

#include "evaluate/numbers.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace lanecl::fuzz {

namespace {

uint64_t saturated(Base base, Wide value) {
  return truncated(base, uint64_t(std::clamp(value, lowest(base), highest(base))));
}

__extension__ typedef unsigned __int128 UnsignedWide;

Wide quotient(Wide l, Wide r, bool remainder) {
  return remainder ? l % r : l / r;
}

// The operands of an operation on integers, both as bits (a, b, c) and as numbers (l, r, s).
struct Operands {
  Type type;
  uint64_t a, b, c;
  Base base = type.base;
  Wide l = wide(base, a), r = wide(base, b), s = wide(base, c);

  Result wrapped(Wide value) const { return {truncated(base, uint64_t(value))}; }

  // The product modulo 2^128. The product of two ulong values may look negative.
  Wide product() const { return Wide(UnsignedWide(l) * UnsignedWide(r)); }

  // Signed arithmetic must not overflow: in int if the type is promoted, otherwise in the type itself.
  Result arithmetic(Wide value) const {
    const Base in = isPromoted(type) ? Base::Int : base;
    return {truncated(base, uint64_t(value)), isSigned(in) && !fits(in, value)};
  }

  // A division by zero is undefined, as is the least number divided by -1. The guarded text gives the first operand.
  Result division(bool remainder) const {
    const Base in = isPromoted(type) ? Base::Int : base;
    if (r == 0 || (isSigned(in) && r == -1 && l == lowest(in)))
      return {a, true};
    return wrapped(quotient(l, r, remainder));
  }

  // Only the low bits of the amount count, as OpenCL C says.
  Result shift(bool left) const {
    const unsigned amount = unsigned(b) & ((isPromoted(type) ? 32 : bitsOf(base)) - 1);
    return wrapped(left ? Wide(uint64_t(l) << amount) : l >> amount);
  }

  // A comparison gives 1 if it holds for scalars, and all bits set for vectors.
  Result comparison(bool holds) const {
    return {type.lanes == 1 ? uint64_t(holds) : truncated(base, -uint64_t(holds))};
  }

  // mul24 and mad24: if an operand has more than 24 bits, its lowest 24 bits count and the result is marked undefined.
  Result product24(Wide addend) const {
    const auto low = [&](uint64_t bits) {
      return isSigned(base) ? Wide(int32_t(uint32_t(bits) << 8) >> 8) : Wide(bits & 0xffffff);
    };
    Result result = wrapped(low(a) * low(b) + addend);
    result.undefined = low(a) != l || low(b) != r;
    return result;
  }

  // mul_hi and mad_hi: the upper half of the product, plus the addend.
  Result highProduct(Wide addend) const { return wrapped((product() >> bitsOf(base)) + addend); }

  Result saturatedSum() const {
    if (isSigned(base))
      return {saturated(base, product() + s)};
    return {uint64_t(std::min(UnsignedWide(product()) + UnsignedWide(s), UnsignedWide(highest(base))))};
  }
};

Result functionOfOne(Op op, const Operands &o) {
  const unsigned bits = bitsOf(o.base);
  switch (op) {
  case Op::Abs: return o.wrapped(o.l < 0 ? -o.l : o.l);
  case Op::Popcount: return {uint64_t(std::popcount(o.a))};
  case Op::Clz: return {uint64_t(std::countl_zero(o.a)) - (64 - bits)};
  case Op::Ctz: return {std::min<uint64_t>(std::countr_zero(o.a), bits)};
  default: throw std::logic_error("no function of one operand");
  }
}

Result functionOfTwo(Op op, const Operands &o) {
  const unsigned bits = bitsOf(o.base), amount = unsigned(o.b) & (bits - 1);
  switch (op) {
  case Op::Min: return o.wrapped(std::min(o.l, o.r));
  case Op::Max: return o.wrapped(std::max(o.l, o.r));
  case Op::AbsDiff: return o.wrapped(o.l < o.r ? o.r - o.l : o.l - o.r);
  case Op::AddSat: return {saturated(o.base, o.l + o.r)};
  case Op::SubSat: return {saturated(o.base, o.l - o.r)};
  case Op::Hadd: return o.wrapped((o.l + o.r) >> 1);
  case Op::Rhadd: return o.wrapped((o.l + o.r + 1) >> 1);
  case Op::MulHi: return o.highProduct(0);
  case Op::Mul24: return o.product24(0);
  case Op::Rotate: return {truncated(o.base, o.a << amount | (amount ? o.a >> (bits - amount) : 0))};
  case Op::Upsample: return {o.a << bits | o.b};
  default: throw std::logic_error("no function of two operands");
  }
}

Result functionOfThree(Op op, const Operands &o) {
  switch (op) {
  case Op::Clamp: return {o.wrapped(std::min(std::max(o.l, o.r), o.s)).bits, o.r > o.s};
  case Op::MadHi: return o.highProduct(o.s);
  case Op::MadSat: return o.saturatedSum();
  case Op::Mad24: return o.product24(o.s);
  case Op::Bitselect: return {(o.a & ~o.c) | (o.b & o.c)};
  case Op::SelectFunction: {
    const bool second = o.type.lanes == 1 ? o.c != 0 : o.c >> (bitsOf(o.base) - 1);
    return {second ? o.b : o.a};
  }
  default: throw std::logic_error("no function of three operands");
  }
}

Result operateOnIntegers(Op op, const Operands &o) {
  switch (op) {
  case Op::Add: return o.arithmetic(o.l + o.r);
  case Op::Sub: return o.arithmetic(o.l - o.r);
  case Op::Mul: return o.arithmetic(o.product());
  case Op::Negate: return o.arithmetic(-o.l);
  case Op::Div: return o.division(false);
  case Op::Rem: return o.division(true);
  case Op::And: return {o.a & o.b};
  case Op::Or: return {o.a | o.b};
  case Op::Xor: return {o.a ^ o.b};
  case Op::Complement: return {truncated(o.base, ~o.a)};
  case Op::Shl: return o.shift(true);
  case Op::Shr: return o.shift(false);
  case Op::Less: return o.comparison(o.l < o.r);
  case Op::LessEqual: return o.comparison(o.l <= o.r);
  case Op::Greater: return o.comparison(o.l > o.r);
  case Op::GreaterEqual: return o.comparison(o.l >= o.r);
  case Op::Equal: return o.comparison(o.l == o.r);
  case Op::NotEqual: return o.comparison(o.l != o.r);
  case Op::LogicalAnd: return {uint64_t(o.l != 0 && o.r != 0)};
  case Op::LogicalOr: return {uint64_t(o.l != 0 || o.r != 0)};
  case Op::LogicalNot: return {uint64_t(o.l == 0)};
  default: break;
  }
  const unsigned operands = infoOf(op).operands;
  return operands == 1 ? functionOfOne(op, o) : operands == 2 ? functionOfTwo(op, o) : functionOfThree(op, o);
}

} // namespace

Result operate(Op op, Type type, uint64_t a, uint64_t b, uint64_t c) {
  return isInteger(type.base) ? operateOnIntegers(op, {type, a, b, c}) : operateOnNumbers(op, type, a, b, c);
}

uint64_t convert(Base to, Base from, uint64_t bits, bool saturate, Rounding rounding) {
  if (!isInteger(to))
    return convertToNumber(to, from, bits, rounding);
  const Wide value = isInteger(from) ? wide(from, bits) : convertToInteger(from, bits, rounding);
  return saturate ? saturated(to, value) : truncated(to, uint64_t(value));
}

float toFloat(uint64_t bits) {
  return std::bit_cast<float>(uint32_t(bits));
}
uint64_t fromFloat(float value) {
  return std::bit_cast<uint32_t>(value);
}

} // namespace lanecl::fuzz
