// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rounding on the host, by the rounding modes of <cfenv>, but without touching the processor's: the compiler does not
// know about it.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>

// The value of half bits, which order non-negative halves.
inline double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31)
    magnitude = mantissa == 0 ? INFINITY : NAN;
  return bits & 0x8000 ? -magnitude : magnitude;
}

// Rounds by looking for the neighbors. Infinity counts as 65536, the next number there would be.
inline uint16_t halfReference(long double x, int mode) {
  const long double magnitude = std::fabs(x);
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x))
    return sign | 0x7c00;
  uint16_t below = 0, above = 0x7c00;
  while (above - below > 1) {
    const uint16_t middle = (below + above) / 2;
    (halfValue(middle) <= magnitude ? below : above) = middle;
  }
  const long double low = halfValue(below), high = above == 0x7c00 ? 65536.0L : halfValue(above);
  const bool up_is_away = (mode == FE_UPWARD && sign == 0) || (mode == FE_DOWNWARD && sign != 0);
  bool away = up_is_away && magnitude > low;
  if (mode == FE_TONEAREST) {
    const long double to_low = magnitude - low, to_high = high - magnitude;
    away = to_high < to_low || (to_high == to_low && below % 2 == 1);
  }
  return sign | (away ? above : below);
}

inline long double toInteger(long double x, int mode) {
  switch (mode) {
  case FE_TOWARDZERO: return std::trunc(x);
  case FE_UPWARD: return std::ceil(x);
  case FE_DOWNWARD: return std::floor(x);
  default: return std::nearbyint(x);
  }
}

// Rounds to float or double: to nearest, and one step back where that is on the wrong side.
template <typename T> T roundTo(long double x, int mode) {
  const T nearest = T(x), infinity = T(INFINITY);
  const bool too_large = nearest > x, too_small = nearest < x;
  const bool down = mode == FE_DOWNWARD || (mode == FE_TOWARDZERO && x > 0);
  const bool up = mode == FE_UPWARD || (mode == FE_TOWARDZERO && x < 0);
  if (too_large && down)
    return std::nextafter(nearest, -infinity);
  return too_small && up ? std::nextafter(nearest, infinity) : nearest;
}
