// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluate/unknown_bits.h"

#include "evaluate/evaluate.h"
#include "evaluate/operations.h"

#include <algorithm>
#include <bit>

namespace lanecl::fuzz {

namespace {

constexpr uint64_t kAll = ~uint64_t(0);

uint64_t signBit(Base base) {
  return uint64_t(1) << (bitsOf(base) - 1);
}

// Returns the highest bit in which the two bounds differ, and all bits below it.
uint64_t differing(Base base, Range range) {
  const uint64_t differ = truncated(base, uint64_t(range.lowest) ^ uint64_t(range.highest));
  return differ == 0 ? 0 : kAll >> std::countl_zero(differ);
}

// Returns the lowest unknown bit and all bits above it, because carries only go up.
uint64_t fromLowest(Base base, uint64_t unknown) {
  return unknown == 0 ? 0 : truncated(base, kAll << std::countr_zero(unknown));
}

// The operands of an operation on integers: their bits and the ranges of numbers that they may be.
struct Operands {
  Type type;
  const Scalar (&s)[3];
  Base base = type.base;
  Range a = rangeOf(base, s[0]), b = rangeOf(base, s[1]), c = rangeOf(base, s[2]);
  uint64_t any = s[0].unknown | s[1].unknown | s[2].unknown;

  uint64_t knownOnes(unsigned i) const { return s[i].bits & ~s[i].unknown; }
  uint64_t knownZeros(unsigned i) const { return ~s[i].bits & ~s[i].unknown; }
  bool isZero(unsigned i) const { return s[i].bits == 0 && s[i].unknown == 0; }

  // Returns the unknown bits of a shift or a rotation: those of the first operand, moved as its bits are.
  uint64_t moved(Op op, unsigned bits) const {
    if (isZero(0))
      return 0;
    if ((s[1].unknown & (bits - 1)) != 0)
      return kAll;
    return operate(op, type, s[0].unknown, s[1].bits, 0).bits;
  }

  // Returns whether a comparison has the same result for all values that the operands may have.
  bool isDecided(Op op) const {
    const bool differ = ((s[0].bits ^ s[1].bits) & ~any) != 0;
    switch (op) {
    case Op::Less:
    case Op::GreaterEqual: return a.highest < b.lowest || a.lowest >= b.highest;
    case Op::Greater:
    case Op::LessEqual: return a.lowest > b.highest || a.highest <= b.lowest;
    default: return differ || a.highest < b.lowest || a.lowest > b.highest;
    }
  }

  // Returns the unknown bits of a quotient or remainder. Only unsigned divisions by a known divisor leave any bits
  // known.
  uint64_t division(bool remainder) const {
    if (isSigned(base) || b.lowest != b.highest || b.lowest == 0)
      return kAll;
    return differing(base, remainder ? Range{0, std::min(a.highest, b.lowest - 1)}
                                     : Range{a.lowest / b.lowest, a.highest / b.lowest});
  }

  // Returns the unknown bits of clamp(), which is undefined if the bounds may be in the wrong order.
  uint64_t clamped() const {
    if (b.highest > c.lowest)
      return kAll;
    return differing(
        base, {std::min(std::max(a.lowest, b.lowest), c.lowest), std::min(std::max(a.highest, b.highest), c.highest)});
  }

  // Returns the unknown bits of select(), which takes the second operand if the third one is set.
  uint64_t selected() const {
    const uint64_t decides = type.lanes == 1 ? kAll : signBit(base);
    const bool known = (s[2].unknown & decides) == 0 || (type.lanes == 1 && knownOnes(2) != 0);
    if (!known)
      return either(true, s[0], s[1]).unknown;
    return s[(s[2].bits & decides) != 0 ? 1 : 0].unknown;
  }
};

// Returns the unknown bits of an operation on integers that is not a comparison.
uint64_t unknownOf(Op op, const Operands &o) {
  switch (op) {
  case Op::And: return o.any & ~o.knownZeros(0) & ~o.knownZeros(1);
  case Op::Or: return o.any & ~o.knownOnes(0) & ~o.knownOnes(1);
  case Op::Xor:
  case Op::Complement: return o.any;
  case Op::Shl:
  case Op::Shr: return o.moved(op, isPromoted(o.type) ? 32 : bitsOf(o.base));
  case Op::Rotate: return o.moved(op, bitsOf(o.base));
  case Op::Upsample: return o.s[0].unknown << bitsOf(o.base) | o.s[1].unknown;
  case Op::Bitselect:
    return (o.s[0].unknown & ~o.knownOnes(2)) | (o.s[1].unknown & ~o.knownZeros(2)) |
           (o.s[2].unknown & (o.s[0].bits ^ o.s[1].bits));
  case Op::SelectFunction: return o.selected();
  case Op::Mul:
    if (o.isZero(0) || o.isZero(1))
      return 0;
    return fromLowest(o.base, o.any);
  case Op::Add:
  case Op::Sub:
  case Op::Negate: return fromLowest(o.base, o.any);
  case Op::Div:
  case Op::Rem: return o.division(op == Op::Rem);
  case Op::Min: return differing(o.base, {std::min(o.a.lowest, o.b.lowest), std::min(o.a.highest, o.b.highest)});
  case Op::Max: return differing(o.base, {std::max(o.a.lowest, o.b.lowest), std::max(o.a.highest, o.b.highest)});
  case Op::Clamp: return o.clamped();
  default: return kAll;
  }
}

} // namespace

bool isKnown(const Value &v) {
  return std::all_of(v.unknown.begin(), v.unknown.end(), [](uint64_t bits) { return bits == 0; });
}

uint64_t known(const Value &v) {
  if (v.unknown[0] != 0)
    throw Rejected("a value that must be known is left open");
  return v.c[0];
}

Truth truthOf(const Value &v) {
  const bool is_known = v.unknown[0] == 0 || (v.c[0] & ~v.unknown[0]) != 0;
  if (!is_known && !v.settled)
    throw Rejected("a condition on an uninitialized value");
  return {v.c[0] != 0, is_known};
}

Scalar either(bool first, Scalar a, Scalar b) {
  return {first ? a.bits : b.bits, a.unknown | b.unknown | (a.bits ^ b.bits)};
}

Range rangeOf(Base base, Scalar s) {
  if (!isInteger(base))
    return {};
  const uint64_t sign = isSigned(base) ? signBit(base) & s.unknown : 0, others = s.unknown & ~sign;
  return {wide(base, (s.bits & ~others) | sign), wide(base, (s.bits | others) & ~sign)};
}

uint64_t unknownBits(Op op, Type type, Base to, const Scalar (&operands)[3]) {
  const Operands o{type, operands};
  if (o.any == 0)
    return 0;
  if (!isInteger(type.base))
    return op == Op::SelectFunction ? o.selected() : truncated(to, kAll);
  if (infoOf(op).form != Form::Comparison)
    return truncated(to, unknownOf(op, o));
  return o.isDecided(op) ? 0 : type.lanes == 1 ? 1 : truncated(to, kAll);
}

bool mayOverflow(Op op, Type type, const Scalar (&operands)[3]) {
  const Base in = isPromoted(type) ? Base::Int : type.base;
  if (!isSigned(in))
    return false;
  const Range a = rangeOf(type.base, operands[0]), b = rangeOf(type.base, operands[1]);
  const auto fit = [&](std::initializer_list<Wide> values) {
    return std::all_of(values.begin(), values.end(), [&](Wide value) { return fits(in, value); });
  };
  switch (op) {
  case Op::Add: return !fit({a.lowest + b.lowest, a.highest + b.highest});
  case Op::Sub: return !fit({a.lowest - b.highest, a.highest - b.lowest});
  case Op::Mul: return !fit({a.lowest * b.lowest, a.lowest * b.highest, a.highest * b.lowest, a.highest * b.highest});
  case Op::Negate: return !fit({-a.lowest, -a.highest});
  default: return false;
  }
}

uint64_t unknownBitsOfConversion(Base to, Base from, Scalar s, bool saturated) {
  if (s.unknown == 0)
    return 0;
  if (!isInteger(to) || !isInteger(from))
    return truncated(to, kAll);
  if (!saturated)
    return truncated(to, uint64_t(wide(from, s.unknown)));
  const Range range = rangeOf(from, s);
  return differing(
      to, {std::clamp(range.lowest, lowest(to), highest(to)), std::clamp(range.highest, lowest(to), highest(to))});
}

} // namespace lanecl::fuzz
