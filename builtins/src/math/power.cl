// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// pow, powr, pown, rootn and ldexp of float. Powers are 2^(y * log2|x|). Special cases of zeros, infinities, NaN and
// negative numbers are decided in branches that most calls skip.
#include "power.h"
#include "power_cases.h"

POWER_CASES(float, as_int)
SMALL_POWER(float)

// Whether x is positive and neither infinite nor NaN. One comparison of the bits decides.
INLINE bool isPositiveFinite(float x) { return as_uint(x) - 1 < 0x7f7fffff; }

OVERLOADABLE float pow(float x, float y) {
  float result = exp2Pair(times(log2Pair(absolute(x)), y, 0.0f));
  if (!isPositiveFinite(x))
    result = powSpecial(x, y, result);
  return x == 1.0f ? 1.0f : result;
}

OVERLOADABLE float powr(float x, float y) {
  float result = exp2Pair(times(log2Pair(x), y, 0.0f));
  if (!isPositiveFinite(x)) {
    float power = y == 0.0f ? NAN : powerOfExtreme(x, y > 0.0f);
    result = x >= 0.0f && y == y ? power : NAN;
  }
  return result;
}

// Returns x^n. n is split into two parts that are exact in float.
INLINE float largePower(float x, int n) {
  int low_bits = (uint)(n + 0x1000000) < 0x2000000 ? 0 : n & 0xff;
  float magnitude = absolute(x), high = (float)(n - low_bits), low = (float)low_bits;
  float result = exp2Pair(times(log2Pair(magnitude), high, low));
  if (!isPositiveFinite(magnitude))
    result = magnitude == magnitude ? powerOfExtreme(magnitude, n > 0) : x;
  return isNegative(x) && n & 1 ? -result : result;
}

OVERLOADABLE float pown(float x, int n) {
  if ((uint)(n + 8) <= 16)
    return smallPower(x, n);
  return largePower(x, n);
}

// If n is rounded to a float, the result is too close to 1 for the rounding to matter.
OVERLOADABLE float rootn(float x, int n) {
  float magnitude = absolute(x), degree = (float)n;
  Pair logarithm = log2Pair(magnitude);
  float high = logarithm.high / degree;
  float low = (__builtin_fmaf(-high, degree, logarithm.high) + logarithm.low) / degree;
  float result = exp2Pair((Pair){high, low});
  if (!isPositiveFinite(magnitude))
    result = magnitude == magnitude ? powerOfExtreme(magnitude, n > 0) : x;
  result = isNegative(x) && n & 1 ? -result : result;
  return n == 0 || (x < 0.0f && !(n & 1)) ? NAN : result;
}

// AVX-512's scaling takes all arguments. Elsewhere n is added to the exponent. Only a denormal result is rounded, by
// the last multiplication.
OVERLOADABLE float ldexp(float x, int n) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(x, (float)n, 0);
  bool is_denormal = absolute(x) < 0x1p-126f;
  int bits = as_int(is_denormal ? x * 0x1p25f : x);
  n = n < -1000 ? -1000 : n;
  n = n > 1000 ? 1000 : n;
  int exponent = (bits >> 23 & 0xff) - (is_denormal ? 25 : 0) + n;
  bool is_small = exponent < 1;
  int raised = is_small ? (exponent < -50 ? -50 : exponent) + 64 : exponent;
  float result = as_float((bits & 0x807fffff) | (raised & 0xff) << 23) * (is_small ? 0x1p-64f : 1.0f);
  result = exponent > 254 ? withSignOf(INFINITY, x) : result;
  return x == 0.0f || !(absolute(x) < INFINITY) ? x : result;
}

VECTORS_OF_BINARY(pow, float)
VECTORS_OF_BINARY(powr, float)
VECTORS_OF_BINARY(pown, int)
VECTORS_OF_BINARY(rootn, int)
VECTORS_OF_BINARY(ldexp, int)

// Defines the forms with one exponent for all components.
#define LDEXP_BY_SCALAR(n)                                                                                             \
  OVERLOADABLE float##n ldexp(float##n x, int k) { return ldexp(x, (int##n)k); }
LDEXP_BY_SCALAR(2)
LDEXP_BY_SCALAR(3)
LDEXP_BY_SCALAR(4)
LDEXP_BY_SCALAR(8)
LDEXP_BY_SCALAR(16)
