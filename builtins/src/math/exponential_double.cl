// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// exp, exp2, exp10, expm1, sinh, cosh and tanh of double: x = n * log(2) + r, a polynomial for e^r, and 2^n by its
// exponent bits.
#include "double_math.h"

// Returns e^x. The argument is limited to a little more than the range between underflow and overflow, for which
// scale() is still right.
INLINE double expLimited(double x) {
  x = limit(x, -746.0, 710.0);
  Nearest n = nearestProduct(x, M_LOG2E);
  return scale(1.0 + expMinusOne(withoutPowersOfTwo(x, n)), n);
}

// If the result is a normal number, n is simply added to its exponent. Other results are rare, and lanes mostly skip
// their branch together.
OVERLOADABLE double exp(double x) {
  if (__lanecl_has_lane_instructions()) {
    x = limit(x, -746.0, 710.0);
    Nearest n = nearestSixteenth(x, M_LOG2E);
    return scaleSixteenths(expMinusOneNarrow(withoutPowersOfTwo(x, n)), n);
  }
  Nearest n = nearestProduct(x, M_LOG2E);
  double result = as_double(as_ulong(1.0 + expMinusOne(withoutPowersOfTwo(x, n))) + (n.bits << 52));
  if (!(absolute(x) < 708.0))
    result = expLimited(x);
  return result;
}

// AVX-512's scaling takes all arguments, and rounds them down itself.
OVERLOADABLE double exp2(double x) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(exp2Positive(__lanecl_floor_rest(x)), x, 0ul);
  x = limit(x, -1077.0, 1025.0);
  Nearest n = nearest(x);
  return scale(exp2Within(x - n.value), n);
}

OVERLOADABLE double exp10(double x) {
  x = limit(x, -325.0, 310.0);
  const double log2_10 = 0x1.a934f0979a371p+1;
  bool has_lookup = __lanecl_has_lane_instructions();
  Nearest n = has_lookup ? nearestSixteenth(x, log2_10) : nearestProduct(x, log2_10);
  double r = x - n.value * 0x1.34413509f0000p-2;
  r = (r - n.value * 0x1.e7fbcc47c4acdp-40) * M_LN10;
  return has_lookup ? scaleSixteenths(expMinusOneNarrow(r), n) : scale(1.0 + expMinusOne(r), n);
}

// Computes 2^n * e^r - 1 with half the power, so that the power does not overflow before the result does.
OVERLOADABLE double expm1(double x) {
  double limited = limit(x, -40.0, 710.0);
  Nearest n = nearestProduct(limited, M_LOG2E);
  double half_power = powerOfTwo(n.bits - 1);
  double result = 2.0 * (half_power * expMinusOne(withoutPowersOfTwo(limited, n)) + (half_power - 0.5));
  return x == 0.0 ? x : result;
}

// The number e^|x| as 2^n * (1 + fraction).
typedef struct {
  double fraction;
  Nearest n;
} Power;
INLINE Power powerOf(double x) {
  x = limit(absolute(x), 0.0, 712.0);
  Nearest n = nearestProduct(x, M_LOG2E);
  return (Power){expMinusOne(withoutPowersOfTwo(x, n)), n};
}

// Returns half of the power. It is finite for every x for which sinh(x) and cosh(x) are.
INLINE double halfOf(Power power) { return scale(0.5 + 0.5 * power.fraction, power.n); }

// Returns e^|x| / 2.
INLINE double halfOfPower(double x) {
  if (!__lanecl_has_lane_instructions())
    return halfOf(powerOf(x));
  x = limit(absolute(x), 0.0, 712.0);
  Nearest n = nearestSixteenth(x, M_LOG2E);
  return scaleSixteenths(expMinusOneNarrow(withoutPowersOfTwo(x, n)), (Nearest){n.value - 1.0, n.bits});
}

OVERLOADABLE double cosh(double x) {
  double e = halfOfPower(x);
  return 0.25 * reciprocal(e < 0x1p500 ? e : 0x1p500) + e;
}

// Below 1 the difference e^x - e^-x would cancel. There it is computed from e^|x| - 1.
OVERLOADABLE double sinh(double x) {
  Power power = powerOf(x);
  double half_power = powerOfTwo(power.n.bits - 1), e = halfOf(power);
  double half_less_one = half_power * power.fraction + (half_power - 0.5);
  bool is_small = absolute(x) < 1.0;
  double counterpart = (is_small ? half_less_one : -0.25) / (is_small ? 2.0 * half_less_one + 1.0 : e);
  return withSignOf((is_small ? half_less_one : e) + counterpart, x);
}

OVERLOADABLE double tanh(double x) {
  double less_one = expm1(limit(2.0 * absolute(x), 0.0, 44.0));
  return withSignOf(less_one / (less_one + 2.0), x);
}

UNARY_VECTORS(exp, double)
UNARY_VECTORS(exp2, double)
UNARY_VECTORS(exp10, double)
UNARY_VECTORS(expm1, double)
UNARY_VECTORS(cosh, double)
UNARY_VECTORS(sinh, double)
UNARY_VECTORS(tanh, double)
