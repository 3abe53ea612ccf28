// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "evaluate/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace lanecl::fuzz {

namespace {

__extension__ typedef unsigned __int128 Magnitude;

// How a type represents numbers. A unit is the exponent of a number's last digit.
struct Format {
  int digits, exponent_bits; // `digits` includes the leading one, which is not stored
  constexpr uint64_t sign() const { return uint64_t(1) << (digits - 1 + exponent_bits); }
  constexpr uint64_t infinity() const { return ((uint64_t(1) << exponent_bits) - 1) << (digits - 1); }
  constexpr uint64_t largest() const { return infinity() - 1; }
  constexpr int leastUnit() const { return 3 - (1 << (exponent_bits - 1)) - digits; }
  constexpr int mostUnit() const { return (1 << (exponent_bits - 1)) - digits; }
};

constexpr Format formatOf(Base base) {
  return base == Base::Half ? Format{11, 5} : base == Base::Float ? Format{24, 8} : Format{53, 11};
}

// The number magnitude * 2^exponent.
struct Number {
  bool negative = false;
  Magnitude magnitude = 0;
  int exponent = 0;
};

constexpr int widthOf(Magnitude m) {
  return uint64_t(m >> 64) ? 64 + std::bit_width(uint64_t(m >> 64)) : std::bit_width(uint64_t(m));
}

// Returns how many times 2^unit the number is, rounded to a whole number. The number must not be too large for that.
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

// Returns the number in the format, rounded. A number that is too large becomes an infinity or the largest finite
// number, as the rounding mode says.
uint64_t bitsOf(const Number &n, const Format &format, Rounding rounding = Rounding::ToEven) {
  const uint64_t sign = n.negative ? format.sign() : 0;
  if (n.magnitude == 0)
    return sign;
  const bool grows = rounding == Rounding::ToEven || rounding == (n.negative ? Rounding::Down : Rounding::Up);
  const uint64_t beyond = sign | (grows ? format.infinity() : format.largest());
  const int top = widthOf(n.magnitude) + n.exponent;
  if (top > format.mostUnit() + format.digits)
    return beyond;
  int unit = std::max(top - format.digits, format.leastUnit());
  auto multiples = uint64_t(multiplesOf(unit, n, rounding));
  const uint64_t hidden = uint64_t(1) << (format.digits - 1);
  if (multiples == 2 * hidden) {
    multiples /= 2;
    ++unit;
  }
  if (unit > format.mostUnit())
    return beyond;
  const auto field = uint64_t(unit - format.leastUnit() + 1);
  return sign | (multiples < hidden ? multiples : field << (format.digits - 1) | (multiples - hidden));
}

// Returns the number with these bits, which must be finite.
Number numberIn(uint64_t bits, const Format &format) {
  const uint64_t hidden = uint64_t(1) << (format.digits - 1), fraction = bits & (hidden - 1);
  const int field = int((bits & format.infinity()) >> (format.digits - 1));
  return {.negative = (bits & format.sign()) != 0,
          .magnitude = field ? fraction | hidden : fraction,
          .exponent = format.leastUnit() + std::max(field, 1) - 1};
}

Number numberOf(double value) {
  return numberIn(std::bit_cast<uint64_t>(value), formatOf(Base::Double));
}

bool isInfinite(Base base, uint64_t bits) {
  return (bits & ~formatOf(base).sign()) == formatOf(base).infinity();
}

// Returns a result that was computed in double, rounded to the type. A NaN counts as undefined, because its bits are
// left open.
Result resultOf(Base base, double exact) {
  const Format format = formatOf(base);
  if (std::isnan(exact))
    return {0, true};
  if (std::isinf(exact))
    return {(std::signbit(exact) ? format.sign() : 0) | format.infinity()};
  return {bitsOf(numberOf(exact), format)};
}

// Adds in units of 2^-48, in which sums and products of halves are whole numbers.
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

// Returns a * b + c, rounded once.
Result fusedOf(Base base, uint64_t a, uint64_t b, uint64_t c) {
  if (base == Base::Float)
    return resultOf(base, double(std::fma(toFloat(a), toFloat(b), toFloat(c))));
  if (base == Base::Double || isInfinite(base, a) || isInfinite(base, b) || isInfinite(base, c))
    return resultOf(base, std::fma(toNumber(base, a), toNumber(base, b), toNumber(base, c)));
  const Format format = formatOf(base);
  const Number x = numberIn(a, format), y = numberIn(b, format);
  const Number product{x.negative != y.negative, x.magnitude * y.magnitude, x.exponent + y.exponent};
  return {bitsOf(sumOf(product, numberIn(c, format)), format)};
}

// Computes in double, which holds enough digits of the sums, products, quotients and roots of halves and floats that
// rounding the result once more is correct.
Result arithmetic(Op op, Base base, double l, double r) {
  switch (op) {
  case Op::Add: return resultOf(base, l + r);
  case Op::Sub: return resultOf(base, l - r);
  case Op::Mul: return resultOf(base, l * r);
  case Op::Div: return resultOf(base, l / r);
  case Op::Sqrt: return resultOf(base, std::sqrt(l));
  case Op::Floor: return resultOf(base, std::floor(l));
  case Op::Ceil: return resultOf(base, std::ceil(l));
  case Op::Trunc: return resultOf(base, std::trunc(l));
  case Op::Rint: return resultOf(base, std::nearbyint(l));
  case Op::Round: return resultOf(base, std::round(l));
  case Op::Fmin: return resultOf(base, std::min(l, r) + 0.0);
  case Op::Fmax: return resultOf(base, std::max(l, r) + 0.0);
  default: throw std::logic_error("numbers have no " + std::string(infoOf(op).text));
  }
}

// Returns the bits of one of the operands, so that the sign of a zero is kept.
Result chosen(Op op, Type type, uint64_t a, uint64_t b, uint64_t c) {
  const auto less = [&](uint64_t l, uint64_t r) { return toNumber(type.base, l) < toNumber(type.base, r); };
  switch (op) {
  case Op::Min: return {less(b, a) ? b : a};
  case Op::Max: return {less(a, b) ? b : a};
  case Op::SelectFunction: return {(type.lanes == 1 ? c != 0 : (c & formatOf(type.base).sign()) != 0) ? b : a};
  default: throw std::logic_error("not a choice among numbers");
  }
}

} // namespace

Result operateOnNumbers(Op op, Type type, uint64_t a, uint64_t b, uint64_t c) {
  const double l = toNumber(type.base, a), r = toNumber(type.base, b);
  const uint64_t sign = formatOf(type.base).sign();
  const auto comparison = [&](bool holds) -> Result {
    return {type.lanes == 1 ? holds : truncated(maskOf(type.base), -uint64_t(holds))};
  };
  switch (op) {
  case Op::Less: return comparison(l < r);
  case Op::LessEqual: return comparison(l <= r);
  case Op::Greater: return comparison(l > r);
  case Op::GreaterEqual: return comparison(l >= r);
  case Op::Equal: return comparison(l == r);
  case Op::NotEqual: return comparison(l != r);
  case Op::Negate: return {a ^ sign};
  case Op::Fabs: return {a & ~sign};
  case Op::Copysign: return {(a & ~sign) | (b & sign)};
  case Op::Min:
  case Op::Max:
  case Op::SelectFunction: return chosen(op, type, a, b, c);
  case Op::Fma: return fusedOf(type.base, a, b, c);
  default: return arithmetic(op, type.base, l, r);
  }
}

bool isNan(Base base, uint64_t bits) {
  return !isInteger(base) && std::isnan(toNumber(base, bits));
}

uint64_t convertToNumber(Base to, Base from, uint64_t bits, Rounding rounding) {
  if (rounding <= Rounding::Function)
    rounding = Rounding::ToEven;
  const Format format = formatOf(to);
  if (isInteger(from)) {
    const Wide value = wide(from, bits);
    return bitsOf({value < 0, Magnitude(value < 0 ? -value : value), 0}, format, rounding);
  }
  if (from == to)
    return bits;
  const double value = toNumber(from, bits);
  return std::isinf(value) ? (value < 0 ? format.sign() : 0) | format.infinity()
                           : bitsOf(numberOf(value), format, rounding);
}

Wide convertToInteger(Base from, uint64_t bits, Rounding rounding) {
  constexpr int kMostBits = 100;
  const double value = toNumber(from, bits);
  if (std::isnan(value))
    return 0;
  const bool large = std::isinf(value) || std::abs(value) >= std::ldexp(1.0, kMostBits);
  const Number n = large ? Number{value < 0, 1, kMostBits} : numberOf(value);
  const auto whole = Wide(multiplesOf(0, n, rounding));
  return n.negative ? -whole : whole;
}

} // namespace lanecl::fuzz
