// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// asin, acos and their multiples of 1/pi for float. Above 1/2: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
#include "float_math.h"

// The arcsine of |x|, or above 1/2 the arcsine of the root above. It is NaN for |x| > 1.
typedef struct {
  float angle;
  bool is_large;
} Arcsine;
INLINE Arcsine arcsine(float x) {
  float magnitude = absolute(x);
  bool is_large = magnitude > 0.5f;
  float z = is_large ? 0.5f - 0.5f * magnitude : x * x;
  float s = is_large ? __builtin_sqrtf(z) : magnitude;
  float p = 0x1.594c1ap-5f;
  p = p * z + 0x1.8c507cp-6f;
  p = p * z + 0x1.747a16p-5f;
  p = p * z + 0x1.33021p-4f;
  p = p * z + 0x1.5555c8p-3f;
  return (Arcsine){s * z * p + s, is_large};
}

// Compute the results from this angle. A right angle is `right` + `rest`: pi/2 in two parts, or 1/2.
INLINE float arcsineOf(float x, Arcsine a, float right, float rest) {
  return withSignOf(a.is_large ? right - (2.0f * a.angle - rest) : a.angle, x);
}
INLINE float arccosineOf(float x, Arcsine a, float right, float rest) {
  float near_axis = x < 0.0f ? 2.0f * right - (2.0f * a.angle - 2.0f * rest) : 2.0f * a.angle;
  return a.is_large ? near_axis : right - (withSignOf(a.angle, x) - rest);
}

OVERLOADABLE float asin(float x) { return arcsineOf(x, arcsine(x), M_PI_2_F, -0x1.777a5cp-25f); }
OVERLOADABLE float acos(float x) { return arccosineOf(x, arcsine(x), M_PI_2_F, -0x1.777a5cp-25f); }

INLINE Arcsine inHalfTurns(Arcsine a) { return (Arcsine){a.angle * M_1_PI_F, a.is_large}; }
OVERLOADABLE float asinpi(float x) { return arcsineOf(x, inHalfTurns(arcsine(x)), 0.5f, 0.0f); }
OVERLOADABLE float acospi(float x) { return arccosineOf(x, inHalfTurns(arcsine(x)), 0.5f, 0.0f); }

VECTORS_OF_UNARY(asin)
VECTORS_OF_UNARY(acos)
VECTORS_OF_UNARY(asinpi)
VECTORS_OF_UNARY(acospi)
