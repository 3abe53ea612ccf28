// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// erf and erfc of float.
#include "float_math.h"

// Returns erf(x) for |x| < 0.95.
INLINE float erfSmall(float x) {
  float z = x * x;
  float p = 0x1.555caep-14f;
  p = p * z - 0x1.a7f69ep-11f;
  p = p * z + 0x1.54858ap-8f;
  p = p * z - 0x1.b807bp-6f;
  p = p * z + 0x1.ce2db8p-4f;
  p = p * z - 0x1.812742p-2f;
  p = p * z + 0x1.06eba8p-3f;
  return x * p + x;
}

// Returns erf(x) = 1 - 2^q(x) for x in [0.95, 4], where the polynomial q approximates log2(erfc(x)).
INLINE float erfLarge(float x) {
  x = limit(x, 0.0f, 4.0f);
  float q = 0x1.3e14ap-19f;
  q = q * x - 0x1.17590ap-14f;
  q = q * x + 0x1.c41364p-11f;
  q = q * x - 0x1.c261ecp-8f;
  q = q * x + 0x1.386248p-5f;
  q = q * x - 0x1.454c34p-3f;
  q = q * x - 0x1.d2b13ep-1f;
  q = q * x - 0x1.a16ea2p+0f;
  q = q * x + 0x1.e6e94ep-12f;
  Nearest n = nearest(q);
  return 1.0f - scale(exp2Fraction(q - n.value), n);
}

OVERLOADABLE float erf(float x) {
  float magnitude = absolute(x);
  return magnitude < 0.95f ? erfSmall(x) : withSignOf(erfLarge(magnitude), x);
}

// erfc(x) is e^(-x^2) / (|x| + 2) times a polynomial in (|x| - 2) / (|x| + 2), for |x| up to 10.06, where the result is
// zero. The rounding error of x^2 is added to the exponent.
OVERLOADABLE float erfc(float x) {
  float magnitude = limit(absolute(x), 0.0f, 10.1f), over = reciprocal(magnitude + 2.0f), t = (magnitude - 2.0f) * over;
  float p = -0x1.e6d36ap-12f;
  p = p * t - 0x1.8d1c22p-11f;
  p = p * t + 0x1.86e10cp-9f;
  p = p * t + 0x1.a60c58p-8f;
  p = p * t - 0x1.6002aep-6f;
  p = p * t - 0x1.2a7bc6p-5f;
  p = p * t + 0x1.1e2d5ep-2f;
  p = p * t - 0x1.5fd38ep-1f;
  p = p * t + 0x1.058674p+0f;
  float square = magnitude * magnitude, lost = __builtin_fmaf(magnitude, magnitude, -square);
  Nearest n = nearestProduct(-square, M_LOG2E_F);
  float power = expMinusOne(withoutPowersOfTwo(-square, n) - lost), factor = p * over;
  float positive = scale(factor * power + factor, n);
  return x < 0.0f ? 2.0f - positive : positive;
}

VECTORS_OF_UNARY(erf)
VECTORS_OF_UNARY(erfc)
