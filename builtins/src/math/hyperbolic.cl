// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// sinh, cosh, tanh of float by way of e^|x|.
#include "float_math.h"

// e^x / 2 for x >= 0, which is finite wherever sinh and cosh are.
INLINE float halfExp(float x) {
  x = limit(x, 0.0f, 91.0f);
  Nearest n = nearest(x * M_LOG2E_F);
  return scale(0.5f + 0.5f * expMinusOne(withoutPowersOfTwo(x, n)), n);
}

OVERLOADABLE float cosh(float x) {
  float e = halfExp(absolute(x));
  return e + 0.25f / e;
}

// Below 1 the difference would cancel.
OVERLOADABLE float sinh(float x) {
  float e = halfExp(absolute(x)), z = x * x;
  float p = 0x1.71de3ap-19f;
  p = p * z + 0x1.a01a02p-13f;
  p = p * z + 0x1.111112p-7f;
  p = p * z + 0x1.555556p-3f;
  float small = x * z * p + x;
  return absolute(x) < 1.0f ? small : withSignOf(e - 0.25f / e, x);
}

OVERLOADABLE float tanh(float x) {
  float z = x * x;
  float p = -0x1.b13538p-8f;
  p = p * z + 0x1.5d220ep-6f;
  p = p * z - 0x1.b9a044p-5f;
  p = p * z + 0x1.110feap-3f;
  p = p * z - 0x1.555554p-2f;
  float small = x * z * p + x;
  float e = halfExp(limit(2.0f * absolute(x), 0.0f, 20.0f));
  float large = 1.0f - 1.0f / (e + 0.5f);
  return absolute(x) < 0.55f ? small : withSignOf(large, x);
}

VECTORS_OF_UNARY(cosh)
VECTORS_OF_UNARY(sinh)
VECTORS_OF_UNARY(tanh)
