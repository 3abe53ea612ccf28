// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The binary logarithm and the power of float, each in two floats: an exponent of 128 takes seven bits of a single
// float.
#pragma once

#include "float_math.h"

// The number high + low, where low is less than a hundredth of high.
typedef struct {
  float high, low;
} Pair;

// Returns log2(x) for finite x > 0 with a relative error of 2^-29. The mantissa is multiplied by 5/4, 1 or 3/4, which
// brings it into [6/7, 8/7]. The product minus 1 is exact, and so is f - f^2/2 in two floats.
INLINE Pair log2Pair(float x) {
  Split s = split(x);
  bool is_low = s.mantissa < 0x1.c71c72p-1f, is_high = s.mantissa > 0x1.249248p+0f;
  float factor = is_low ? 1.25f : is_high ? 0.75f : 1.0f;
  float known_high = is_low ? -0x1.49ap-2f : is_high ? 0x1.a9p-2f : 0.0f; // -log2(factor)
  float known_low = is_low ? -0x1.e12f34p-16f : is_high ? -0x1.a39fbep-20f : 0.0f;
  float f = __builtin_fmaf(s.mantissa, factor, -1.0f), square = f * f;
  float q = -0x1.7d442ap-3f;
  q = q * f + 0x1.b36712p-3f;
  q = q * f - 0x1.ec4c0ap-3f;
  q = q * f + 0x1.276228p-2f;
  q = q * f - 0x1.715486p-2f;
  q = q * f + 0x1.ec70bp-2f;
  float minus_half = -0.5f * f, u = __builtin_fmaf(minus_half, f, f), u_low = __builtin_fmaf(minus_half, f, f - u);
  const float log2_e = 0x1.715476p+0f, log2_e_low = 0x1.4ae0cp-26f;
  float main = u * log2_e, main_low = __builtin_fmaf(u, log2_e, -main) + (u * log2_e_low + u_low * log2_e);
  float known = s.exponent + known_high, high = known + main;
  float low = main - (high - known) + (known_low + main_low);
  return (Pair){high, square * f * q + low};
}

// Returns 2^(x.high + x.low). If the high part is infinite, the low part is ignored, because it is NaN or infinite,
// too.
INLINE float exp2Pair(Pair x) {
  float high = limit(x.high, -160.0f, 130.0f), low = absolute(x.high) < 200.0f ? x.low : 0.0f;
  Nearest n = nearest(high + low);
  return scale(exp2Fraction(high - n.value + low), n);
}

// Returns the product of x and y + y_low.
INLINE Pair times(Pair x, float y, float y_low) {
  float high = x.high * y;
  return (Pair){high, __builtin_fmaf(x.high, y, -high) + (x.low * y + x.high * y_low)};
}
