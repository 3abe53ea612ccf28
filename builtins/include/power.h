// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Binary logarithm and power in double with a float's range: their errors are too small to matter in a float.
#pragma once

#include "float_math.h"

// log2(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)] with a relative error of 2^-38.
INLINE double log2Fraction(double f) {
  double p = -0x1.16c9192143833p-4;
  p = p * f + 0x1.0c91c8ec04459p-3;
  p = p * f - 0x1.140c67e94fcdep-3;
  p = p * f + 0x1.0b872a83448f7p-3;
  p = p * f - 0x1.23e34ff2dfed7p-3;
  p = p * f + 0x1.480da32d9077ap-3;
  p = p * f - 0x1.7186b110dbb40p-3;
  p = p * f + 0x1.a61c50cd4bc62p-3;
  p = p * f - 0x1.ec6f47f38905dp-3;
  p = p * f + 0x1.2776b48f57946p-2;
  p = p * f - 0x1.7154784e5d08ep-2;
  p = p * f + 0x1.ec709de7df48dp-2;
  p = p * f - 0x1.71547651d9376p-1;
  p = p * f + 0x1.71547652b5270p+0;
  return p * f;
}

// log2(x) for x >= 0.
INLINE double log2Double(float x) {
  Split s = split(x);
  double result = log2Fraction((double)s.mantissa - 1.0) + (double)s.exponent;
  result = x == 0.0f ? -INFINITY : result;
  return x < INFINITY ? result : (double)x;
}

INLINE float exp2Double(double x) {
  x = x < -160.0 ? -160.0 : x;
  x = x > 130.0 ? 130.0 : x;
  const double magic = 0x1.8p52;
  double shifted = x + magic;
  int n = (int)(as_long(shifted) - as_long(magic));
  return scale(exp2Fraction((float)(x - (shifted - magic))), n);
}
