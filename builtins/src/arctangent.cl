// atan, atan2 and their multiples of 1/pi of float: one division brings the argument into [-1, 1].
#include "float_math.h"

// On [-1, 1], relative error 2^-25.
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

// The angle of the point (x, y) with x, y >= 0, in [0, pi/2]. Of two infinities or two zeros the quotient is undefined.
INLINE float firstQuadrant(float y, float x) {
  bool steep = y > x;
  float quotient = steep ? x / y : y / x;
  quotient = x == y ? (x == 0.0f ? 0.0f : 1.0f) : quotient;
  float angle = atanPolynomial(quotient);
  return steep ? M_PI_2_F - (angle + 0x1.777a5cp-25f) : angle;
}

OVERLOADABLE float atan(float x) { return withSignOf(firstQuadrant(absolute(x), 1.0f), x); }

OVERLOADABLE float atan2(float y, float x) {
  float angle = firstQuadrant(absolute(y), absolute(x));
  angle = as_int(x) < 0 ? M_PI_F - (angle + 0x1.777a5cp-24f) : angle;
  return x != x || y != y ? NAN : withSignOf(angle, y);
}

OVERLOADABLE float atanpi(float x) { return atan(x) * M_1_PI_F; }
OVERLOADABLE float atan2pi(float y, float x) { return atan2(y, x) * M_1_PI_F; }

VECTORS_OF_UNARY(atan)
VECTORS_OF_UNARY(atanpi)
VECTORS_OF_BINARY(atan2, float)
VECTORS_OF_BINARY(atan2pi, float)
