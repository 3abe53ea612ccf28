// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atan, atan2 and their multiples of 1/pi for float. One division brings the argument into [-1, 1].
#include "float_math.h"

// Returns atan(t) for t in [-1, 1] with a relative error of 2^-25.
INLINE float atanPolynomial(float t) {
  float z = t * t;
  float p = -0x1.38de56p-9f;
  p = p * z + 0x1.ba9f66p-7f;
  p = p * z - 0x1.25dc12p-5f;
  p = p * z + 0x1.0001c6p-4f;
  p = p * z - 0x1.6295f8p-4f;
  p = p * z + 0x1.c3f168p-4f;
  p = p * z - 0x1.246cd2p-3f;
  p = p * z + 0x1.99983cp-3f;
  p = p * z - 0x1.555554p-2f;
  return t * z * p + t;
}

// Returns the angle between the point (|x|, |y|) and the nearer axis, in [0, pi/4]. The quotient of two infinities or
// two zeros is undefined, so x == y is handled without it.
INLINE float octant(float y, float x) {
  y = absolute(y);
  x = absolute(x);
  float quotient = y > x ? x / y : y / x;
  return atanPolynomial(x == y ? (x == 0.0f ? 0.0f : 1.0f) : quotient);
}

// Returns the angle between the point (x, y) and the x axis, given the angle within its octant. A right angle is
// `right` + `rest`.
INLINE float unfold(float y, float x, float angle, float right, float rest) {
  bool steep = absolute(y) > absolute(x), left = as_int(x) < 0;
  float axis = steep ? right : left ? 2.0f * right : 0.0f;
  float axis_rest = steep ? rest : left ? 2.0f * rest : 0.0f;
  return withSignOf(axis + ((steep != left ? -angle : angle) + axis_rest), y);
}

OVERLOADABLE float atan2(float y, float x) {
  return x != x || y != y ? NAN : unfold(y, x, octant(y, x), M_PI_2_F, -0x1.777a5cp-25f);
}
OVERLOADABLE float atan2pi(float y, float x) {
  return x != x || y != y ? NAN : unfold(y, x, octant(y, x) * M_1_PI_F, 0.5f, 0.0f);
}

OVERLOADABLE float atan(float x) { return unfold(x, 1.0f, octant(x, 1.0f), M_PI_2_F, -0x1.777a5cp-25f); }
OVERLOADABLE float atanpi(float x) { return unfold(x, 1.0f, octant(x, 1.0f) * M_1_PI_F, 0.5f, 0.0f); }

VECTORS_OF_UNARY(atan)
VECTORS_OF_UNARY(atanpi)
VECTORS_OF_BINARY(atan2, float)
VECTORS_OF_BINARY(atan2pi, float)
