// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sinh, cosh and tanh of float from e^|x|, or from e^|x| - 1 where the difference would cancel.
#include "float_math.h"

INLINE float smaller(float x, float y) { return x > y ? y : x; }

// The intermediate result e^x / 2 is finite for every x for which cosh(x) is.
OVERLOADABLE float cosh(float x) {
  x = smaller(absolute(x), 91.0f);
  Nearest n = nearestProduct(x, M_LOG2E_F);
  float e = scale(0.5f + 0.5f * expMinusOne(withoutPowersOfTwo(x, n)), n);
  return 0.25f * reciprocal(smaller(e, 0x1p64f)) + e;
}

// Returns (e^x - 1) / 4 for x in [0, 89.5]. It is finite for every x for which sinh(x) is.
INLINE float quarterExpMinusOne(float x) {
  Nearest n = nearestProduct(x, M_LOG2E_F);
  float quarter_power = powerOfTwo(n.bits - 2);
  return quarter_power * expMinusOne(withoutPowersOfTwo(x, n)) + (quarter_power - 0.25f);
}

// For a small argument the intermediate quarter may be denormal, so the argument itself is the result.
OVERLOADABLE float sinh(float x) {
  float magnitude = absolute(x), e = 2.0f * quarterExpMinusOne(smaller(magnitude, 89.5f));
  float result = e * reciprocal(smaller(2.0f * e + 1.0f, 0x1p64f)) + e;
  return magnitude < 0x1p-12f ? x : withSignOf(result, x);
}

OVERLOADABLE float tanh(float x) {
  float magnitude = absolute(x), e = quarterExpMinusOne(smaller(2.0f * magnitude, 20.0f));
  float result = e * reciprocal(e + 0.5f);
  return magnitude < 0x1p-12f ? x : withSignOf(result, x);
}

VECTORS_OF_UNARY(cosh)
VECTORS_OF_UNARY(sinh)
VECTORS_OF_UNARY(tanh)
