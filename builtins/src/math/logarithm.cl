// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// log, log2, log10, log1p of float: x = m * 2^e, a polynomial for log(m).
#include "float_math.h"

// log(1 + f) - f for f in [sqrt(1/2) - 1, sqrt(2) - 1], relative error of the sum 2^-27.
INLINE float logTail(float f) {
  float p = 0x1.1d8ea6p-4f;
  p = p * f - 0x1.d635bcp-4f;
  p = p * f + 0x1.dea282p-4f;
  p = p * f - 0x1.fcf4c6p-4f;
  p = p * f + 0x1.23d21ap-3f;
  p = p * f - 0x1.555b4ap-3f;
  p = p * f + 0x1.999d5ap-3f;
  p = p * f - 0x1.fffffcp-3f;
  p = p * f + 0x1.555554p-2f;
  float square = f * f;
  return square * f * p - 0.5f * square;
}

// Special values: the logarithm of zero, of infinity, of negative numbers and of NaN.
INLINE float logSpecial(float x, float finite) {
  float result = x == 0.0f ? -INFINITY : finite;
  result = x == INFINITY ? x : result;
  return x >= 0.0f ? result : NAN;
}

OVERLOADABLE float log(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f;
  float tail = s.exponent * 0x1.0bfbe8p-15f + logTail(f);
  return logSpecial(x, s.exponent * 0x1.62ep-1f + (f + tail));
}

// log2(e) is 1 + 0.4427: f itself is added without the rounding of a product.
OVERLOADABLE float log2(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f, tail = logTail(f);
  float rest = f * 0x1.c551dap-2f + (tail * 0x1.c551dap-2f + tail);
  return logSpecial(x, s.exponent + (f + rest));
}

OVERLOADABLE float log10(float x) {
  Split s = split(x);
  float f = s.mantissa - 1.0f, tail = logTail(f);
  float low = s.exponent * 0x1.3509f8p-18f + (tail * 0x1.bcb7b2p-2f - f * 0x1.5b235ep-27f);
  return logSpecial(x, s.exponent * 0x1.344p-2f + (f * 0x1.bcb7b2p-2f + low));
}

// The rounding error of 1 + x is added to f.
OVERLOADABLE float log1p(float x) {
  float sum = 1.0f + x;
  float lost = absolute(x) < 1.0f ? x - (sum - 1.0f) : 1.0f - (sum - x);
  Split s = split(sum);
  int exponent = (int)s.exponent < 126 ? (int)s.exponent : 126;
  float f = s.mantissa - 1.0f + lost * as_float((127 - exponent) << 23);
  float tail = s.exponent * 0x1.0bfbe8p-15f + logTail(f);
  float result = logSpecial(sum, s.exponent * 0x1.62ep-1f + (f + tail));
  return x == 0.0f ? x : result;
}

VECTORS_OF_UNARY(log)
VECTORS_OF_UNARY(log1p)
VECTORS_OF_UNARY(log2)
VECTORS_OF_UNARY(log10)
