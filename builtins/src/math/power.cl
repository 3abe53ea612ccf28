// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// pow, powr, pown, rootn, cbrt, ldexp of float: 2^(y * log2|x|) with the logarithm and the product in double, so that
// their errors do not affect the result. The arithmetic handles zeros and infinities; signs and other special values
// are selects.
#include "power.h"

INLINE bool isInteger(float x) { return __builtin_truncf(x) == x; }
INLINE bool isOdd(float x) { return isInteger(x) && !isInteger(0.5f * x); }
INLINE bool isNegative(float x) { return as_int(x) < 0; }

OVERLOADABLE float pow(float x, float y) {
  float magnitude = absolute(x);
  float result = exp2Double((double)y * log2Double(magnitude));
  result = magnitude == 1.0f && absolute(y) == INFINITY ? 1.0f : result;
  result = isNegative(x) && isOdd(y) ? -result : result;
  result = x < 0.0f && magnitude < INFINITY && !isInteger(y) ? NAN : result;
  result = x != x || y != y ? NAN : result;
  return x == 1.0f || y == 0.0f ? 1.0f : result;
}

OVERLOADABLE float powr(float x, float y) {
  float result = exp2Double((double)y * log2Double(absolute(x)));
  return x >= 0.0f ? result : NAN;
}

OVERLOADABLE float pown(float x, int n) {
  float result = exp2Double((double)n * log2Double(absolute(x)));
  result = isNegative(x) && n & 1 ? -result : result;
  return n == 0 ? 1.0f : result;
}

OVERLOADABLE float rootn(float x, int n) {
  float result = exp2Double(log2Double(absolute(x)) / (double)n);
  result = isNegative(x) && n & 1 ? -result : result;
  return n == 0 || (x < 0.0f && !(n & 1)) ? NAN : result;
}

OVERLOADABLE float cbrt(float x) { return withSignOf(exp2Double(log2Double(absolute(x)) * (1.0 / 3.0)), x); }

// The exponent is added to; only a result that is denormal is rounded, by the last multiplication.
OVERLOADABLE float ldexp(float x, int n) {
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

VECTORS_OF_UNARY(cbrt)
VECTORS_OF_BINARY(pow, float)
VECTORS_OF_BINARY(powr, float)
VECTORS_OF_BINARY(pown, int)
VECTORS_OF_BINARY(rootn, int)
VECTORS_OF_BINARY(ldexp, int)

#define LDEXP_BY_SCALAR(n)                                                                                             \
  OVERLOADABLE float##n ldexp(float##n x, int k) { return ldexp(x, (int##n)k); }
LDEXP_BY_SCALAR(2)
LDEXP_BY_SCALAR(3)
LDEXP_BY_SCALAR(4)
LDEXP_BY_SCALAR(8)
LDEXP_BY_SCALAR(16)
