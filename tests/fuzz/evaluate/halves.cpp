// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluate/halves.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace lanecl::fuzz {

namespace {

__extension__ typedef unsigned __int128 Magnitude;

constexpr uint64_t kSign = 0x8000, kInfinity = 0x7c00, kLargest = 0x7bff;

// magnitude * 2^exponent
struct Number {
  bool negative = false;
  Magnitude magnitude = 0;
  int exponent = 0;
};

constexpr int widthOf(Magnitude m) {
  return uint64_t(m >> 64) ? 64 + std::bit_width(uint64_t(m >> 64)) : std::bit_width(uint64_t(m));
}

// How many times 2^unit the number is; it must not be too large for that.
Magnitude multiplesOf(int unit, const Number &n, Rounding rounding) {
  if (n.exponent >= unit)
    return n.magnitude << (n.exponent - unit);
  const int drop = std::min(unit - n.exponent, 127);
  const Magnitude kept = n.magnitude >> drop, rest = n.magnitude - (kept << drop), middle = Magnitude(1) << (drop - 1);
  switch (rounding) {
  case Rounding::ToEven: return kept + (rest > middle || (rest == middle && (kept & 1) != 0));
  case Rounding::Up: return kept + (!n.negative && rest != 0);
  case Rounding::Down: return kept + (n.negative && rest != 0);
  default: return kept;
  }
}

uint64_t halfOf(const Number &n, Rounding rounding = Rounding::ToEven) {
  const uint64_t sign = n.negative ? kSign : 0;
  if (n.magnitude == 0)
    return sign;
  const bool grows = rounding == Rounding::ToEven || rounding == (n.negative ? Rounding::Down : Rounding::Up);
  const uint64_t beyond = sign | (grows ? kInfinity : kLargest);
  constexpr int kDigits = 11, kLeastUnit = -24, kMostUnit = 5, kBias = 25; // of the exponent, for a unit
  const int top = widthOf(n.magnitude) + n.exponent;
  if (top > kMostUnit + kDigits)
    return beyond;
  int unit = std::max(top - kDigits, kLeastUnit);
  auto multiples = uint64_t(multiplesOf(unit, n, rounding));
  if (multiples == 1 << kDigits) {
    multiples /= 2;
    ++unit;
  }
  if (unit > kMostUnit)
    return beyond;
  constexpr uint64_t kHidden = 1 << (kDigits - 1);
  return sign | (multiples < kHidden ? multiples : uint64_t(unit + kBias) << (kDigits - 1) | (multiples - kHidden));
}

// Of a number's bits, which are finite.
Number numberIn(uint64_t bits, int digits, int exponent_bits) {
  const uint64_t fraction = bits & ((uint64_t(1) << (digits - 1)) - 1);
  const int field = int(bits >> (digits - 1) & ((uint64_t(1) << exponent_bits) - 1));
  const int least = 2 - (1 << (exponent_bits - 1)) - (digits - 1);
  return {.negative = (bits >> (digits - 1 + exponent_bits) & 1) != 0,
          .magnitude = field ? fraction | uint64_t(1) << (digits - 1) : fraction,
          .exponent = field ? least + field - 1 : least};
}

Number numberOf(uint64_t half) {
  return numberIn(half, 11, 5);
}
Number numberOf(float value) {
  return numberIn(std::bit_cast<uint32_t>(value), 24, 8);
}
Number numberOf(double value) {
  return numberIn(std::bit_cast<uint64_t>(value), 53, 11);
}

bool isInfinite(uint64_t half) {
  return (half & ~kSign) == kInfinity;
}

Result resultOf(double exact) {
  if (std::isnan(exact))
    return {0, true};
  if (std::isinf(exact))
    return {(std::signbit(exact) ? kSign : 0) | kInfinity};
  return {halfOf(numberOf(exact))};
}

// In units of 2^-48, in which sums and products of halves are whole numbers.
Number sumOf(const Number &a, const Number &b) {
  constexpr int kUnit = -48;
  const auto fixed = [](const Number &n) {
    const auto m = Wide(multiplesOf(kUnit, n, Rounding::ToZero));
    return n.negative ? -m : m;
  };
  const Wide sum = fixed(a) + fixed(b);
  const bool negative = sum == 0 ? a.negative && b.negative : sum < 0;
  return {negative, Magnitude(sum < 0 ? -sum : sum), kUnit};
}

Result fusedOf(uint64_t a, uint64_t b, uint64_t c) {
  if (isInfinite(a) || isInfinite(b) || isInfinite(c))
    return resultOf(std::fma(toNumber(Base::Half, a), toNumber(Base::Half, b), toNumber(Base::Half, c)));
  const Number x = numberOf(a), y = numberOf(b);
  const Number product{x.negative != y.negative, x.magnitude * y.magnitude, x.exponent + y.exponent};
  return {halfOf(sumOf(product, numberOf(c)))};
}

// A double holds their sums, products, and enough of their quotients and roots to be rounded once more.
Result arithmetic(Op op, double l, double r) {
  switch (op) {
  case Op::Add: return resultOf(l + r);
  case Op::Sub: return resultOf(l - r);
  case Op::Mul: return resultOf(l * r);
  case Op::Div: return resultOf(l / r);
  case Op::Sqrt: return resultOf(std::sqrt(l));
  case Op::Floor: return resultOf(std::floor(l));
  case Op::Ceil: return resultOf(std::ceil(l));
  case Op::Trunc: return resultOf(std::trunc(l));
  case Op::Rint: return resultOf(std::nearbyint(l));
  case Op::Round: return resultOf(std::round(l));
  case Op::Fmin: return resultOf(std::min(l, r) + 0.0);
  case Op::Fmax: return resultOf(std::max(l, r) + 0.0);
  default: throw std::logic_error("halves have no " + std::string(infoOf(op).text));
  }
}

Result chosen(Op op, Type type, uint64_t a, uint64_t b, uint64_t c) {
  const auto less = [](uint64_t l, uint64_t r) { return toNumber(Base::Half, l) < toNumber(Base::Half, r); };
  switch (op) {
  case Op::Min: return {less(b, a) ? b : a};
  case Op::Max: return {less(a, b) ? b : a};
  case Op::SelectFunction: return {(type.lanes == 1 ? c != 0 : (c & kSign) != 0) ? b : a};
  default: throw std::logic_error("not a choice among halves");
  }
}

} // namespace

Result operateOnHalves(Op op, Type type, uint64_t a, uint64_t b, uint64_t c) {
  const double l = toNumber(Base::Half, a), r = toNumber(Base::Half, b);
  const auto comparison = [&](bool holds) -> Result {
    return {type.lanes == 1 ? holds : truncated(Base::Short, -uint64_t(holds))};
  };
  switch (op) {
  case Op::Less: return comparison(l < r);
  case Op::LessEqual: return comparison(l <= r);
  case Op::Greater: return comparison(l > r);
  case Op::GreaterEqual: return comparison(l >= r);
  case Op::Equal: return comparison(l == r);
  case Op::NotEqual: return comparison(l != r);
  case Op::Negate: return {a ^ kSign};
  case Op::Fabs: return {a & ~kSign};
  case Op::Copysign: return {(a & ~kSign) | (b & kSign)};
  case Op::Min:
  case Op::Max:
  case Op::SelectFunction: return chosen(op, type, a, b, c);
  case Op::Fma: return fusedOf(a, b, c);
  default: return arithmetic(op, l, r);
  }
}

bool isNan(Base base, uint64_t bits) {
  return !isInteger(base) && std::isnan(toNumber(base, bits));
}

uint64_t convertToHalf(Base from, uint64_t bits, Rounding rounding) {
  if (rounding <= Rounding::Function)
    rounding = Rounding::ToEven;
  if (isInteger(from)) {
    const Wide value = wide(from, bits);
    return halfOf({value < 0, Magnitude(value < 0 ? -value : value), 0}, rounding);
  }
  if (from == Base::Half)
    return bits;
  const float value = toFloat(bits);
  return std::isinf(value) ? (value < 0 ? kSign : 0) | kInfinity : halfOf(numberOf(value), rounding);
}

Wide convertToInteger(Base from, uint64_t bits, Rounding rounding) {
  constexpr int kMostBits = 100;
  const double value = toNumber(from, bits);
  const bool large = std::isinf(value) || std::abs(value) >= std::ldexp(1.0, kMostBits);
  const Number n = large ? Number{value < 0, 1, kMostBits} : numberOf(value);
  const auto whole = Wide(multiplesOf(0, n, rounding));
  return n.negative ? -whole : whole;
}

} // namespace lanecl::fuzz
