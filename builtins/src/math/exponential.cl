// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// exp, exp2, exp10 and expm1 of float: x = n * log(2) + r, a polynomial for e^r, and 2^n by its exponent bits.
#include "float_math.h"

// Returns e^r * 2^n * 2^n for x = 2n * log(2) + r. As in scale() there are two powers of two, so that n may be out of
// the range of exponents. Here both are equal, which takes fewer instructions. |r| <= log(2). The error of the
// polynomial is 2^-25 of e^r, and that of the result 1.8 ulp.
INLINE float expByEqualScales(float x) {
  const float magic = 0x1.8p23f;
  float shifted = x * (0.5f * M_LOG2E_F) + magic, n = shifted - magic;
  float power = as_float((as_int(shifted) << 23) + as_int(1.0f)); // the shift drops all bits but those of n
  float r = x - n * 0x1.62ep+0f;
  r = r - n * 0x1.0bfbe8p-14f;
  float p = 0x1.9789e6p-13f;
  p = p * r + 0x1.70ec02p-10f;
  p = p * r + 0x1.11319cp-7f;
  p = p * r + 0x1.554e92p-5f;
  p = p * r + 0x1.5554fcp-3f;
  p = p * r + 0.5f;
  p = r * r * p + r;
  return (p * power + power) * power;
}

// The argument is limited to a little more than the range between underflow and overflow, for which scale() is still
// right.
OVERLOADABLE float exp(float x) {
  x = limit(x, -105.0f, 90.0f);
  if (!__lanecl_has_lane_instructions())
    return expByEqualScales(x);
  Nearest n = nearestProduct(x, M_LOG2E_F);
  return scale(1.0f + expMinusOne(withoutPowersOfTwo(x, n)), n);
}

// AVX-512's scaling takes all arguments, and rounds them down itself.
OVERLOADABLE float exp2(float x) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(exp2Positive(__lanecl_floor_rest(x)), x, 0);
  x = limit(x, -152.0f, 129.0f);
  Nearest n = nearest(x);
  return scale(exp2Fraction(x - n.value), n);
}

OVERLOADABLE float exp10(float x) {
  x = limit(x, -46.0f, 39.0f);
  Nearest n = nearestProduct(x, 0x1.a934fp+1f);
  float r = x - n.value * 0x1.344p-2f;
  r = r - n.value * 0x1.3509f8p-18f;
  return scale(1.0f + expMinusOne(r * M_LN10_F), n);
}

// Computes 2^n * e^r - 1 with half the power, so that the power does not overflow before the result does.
OVERLOADABLE float expm1(float x) {
  float limited = limit(x, -20.0f, 89.0f);
  Nearest n = nearestProduct(limited, M_LOG2E_F);
  float half_power = as_float((n.bits + 126) << 23);
  float result = 2.0f * (half_power * expMinusOne(withoutPowersOfTwo(limited, n)) + (half_power - 0.5f));
  return x == 0.0f ? x : result;
}

VECTORS_OF_UNARY(exp)
VECTORS_OF_UNARY(expm1)
VECTORS_OF_UNARY(exp2)
VECTORS_OF_UNARY(exp10)
