// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// pow, powr, pown, rootn and ldexp of double. Powers are 2^(y * log2|x|). Special cases of zeros, infinities, NaN and
// negative numbers are decided in branches that most calls skip.
#include "power_double.h"
#include "power_cases.h"

POWER_CASES(double, as_long)
SMALL_POWER(double)

// Whether x is positive and neither infinite nor NaN. One comparison of the bits decides.
INLINE bool isPositiveFinite(double x) { return as_ulong(x) - 1 < 0x7fefffffffffffff; }

// Returns x^y for finite x > 0.
INLINE double power(double x, double y) {
  Pair logarithm = log2Pair(x), exponent = product(y, logarithm.high);
  exponent.low += y * logarithm.low;
  return exp2Pair(exponent, 0);
}

// For infinite x the result is right as well, unless it is NaN.
OVERLOADABLE double pow(double x, double y) {
  double result = power(absolute(x), y);
  if (as_long(x) <= 0 || result != result)
    result = x == 1.0 ? 1.0 : powSpecial(x, y, result);
  return result;
}

OVERLOADABLE double powr(double x, double y) {
  double result = power(x, y);
  if (!isPositiveFinite(x)) {
    double extreme = y == 0.0 ? NAN : powerOfExtreme(x, y > 0.0);
    result = x >= 0.0 && y == y ? extreme : NAN;
  }
  return result;
}

OVERLOADABLE double pown(double x, int n) {
  if ((uint)(n + 8) <= 16)
    return smallPower(x, n);
  double magnitude = absolute(x), result = power(magnitude, (double)n);
  if (!isPositiveFinite(magnitude))
    result = magnitude == magnitude ? powerOfExtreme(magnitude, n > 0) : x;
  return isNegative(x) && n & 1 ? -result : result;
}

// The exponent log2|x| / n is computed in two parts, because its rounding alone would make the result inexact.
OVERLOADABLE double rootn(double x, int n) {
  double degree = (double)n, over = reciprocal(degree);
  double magnitude = absolute(x);
  Pair logarithm = log2Pair(magnitude);
  double high = logarithm.high * over;
  double rest = (__builtin_fma(-high, degree, logarithm.high) + logarithm.low) * over;
  double result = exp2Pair((Pair){high, rest}, 0);
  if (!isPositiveFinite(magnitude))
    result = magnitude == magnitude ? powerOfExtreme(magnitude, n > 0) : x;
  result = isNegative(x) && n & 1 ? -result : result;
  return n == 0 || (x < 0.0 && !(n & 1)) ? NAN : result;
}

// AVX-512's scaling takes all arguments. Elsewhere n is added to the exponent. Only a denormal result is rounded, by
// the last multiplication.
OVERLOADABLE double ldexp(double x, int n) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(x, (double)n, 0ul);
  const ulong mantissa_bits = 0x800ffffffffffffful;
  bool is_denormal = absolute(x) < 0x1p-1022;
  ulong bits = as_ulong(is_denormal ? x * 0x1p54 : x);
  n = n < -5000 ? -5000 : n;
  n = n > 5000 ? 5000 : n;
  int exponent = (int)(bits >> 52 & 0x7ff) - (is_denormal ? 54 : 0) + n;
  bool is_small = exponent < 1;
  int raised = is_small ? (exponent < -120 ? -120 : exponent) + 128 : exponent;
  double result = as_double((bits & mantissa_bits) | (ulong)(raised & 0x7ff) << 52) * (is_small ? 0x1p-128 : 1.0);
  result = exponent > 2046 ? withSignOf(INFINITY, x) : result;
  return x == 0.0 || !(absolute(x) < INFINITY) ? x : result;
}

BINARY_VECTORS(pow, double, double)
BINARY_VECTORS(powr, double, double)
BINARY_VECTORS(pown, double, int)
BINARY_VECTORS(rootn, double, int)
BINARY_VECTORS(ldexp, double, int)

// Defines the forms with one exponent for all components.
#define LDEXP_BY_SCALAR(T, I)                                                                                          \
  OVERLOADABLE T ldexp(T x, int n) { return ldexp(x, (I)n); }
LDEXP_BY_SCALAR(double2, int2)
LDEXP_BY_SCALAR(double3, int3)
LDEXP_BY_SCALAR(double4, int4)
LDEXP_BY_SCALAR(double8, int8)
LDEXP_BY_SCALAR(double16, int16)
