// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// tgamma of float, computed in double with Stirling's formula for arguments from 3.5 on. Other arguments are reduced by
// G(t + 3) = t (t + 1) (t + 2) G(t) and, below 1/2, by G(x) G(1 - x) = pi / sin(pi x).
#include "float_math.h"

// Returns log2(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)] with a relative error of 2^-38.
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

// Returns log2(u) for u in [3.5, 64].
INLINE double log2Moderate(double u) {
  int exponent = (as_int((float)u) - 0x3f3504f3) >> 23;
  return log2Fraction(u * (double)as_float((127 - exponent) << 23) - 1.0) + (double)exponent;
}

// Returns 2^x for |x| <= 1000 with the relative error of a float.
INLINE double exp2Wide(double x) {
  const double magic = 0x1.8p52;
  double shifted = x + magic;
  ulong power = (as_ulong(shifted) + 1023) << 52;
  return (double)exp2Fraction((float)(x - (shifted - magic))) * as_double(power);
}

// Returns G(u) / (u^(u - 1/2) e^-u) * u^5 with a relative error of 2^-33.
INLINE double stirlingPolynomial(double u) {
  double p = 0x1.40d9320281070p+1;
  p = p * u + 0x1.abcc3195d829cp-3;
  p = p * u + 0x1.1d503bf909464p-7;
  p = p * u - 0x1.bb2d04a47d8ffp-8;
  p = p * u - 0x1.71392ce767afap-12;
  return p * u + 0x1.881f13e367a23p-10;
}

// Returns sin(pi x). Zeros have the sign of x.
INLINE double sinPi(double x) {
  const double magic = 0x1.8p52;
  double shifted = x + magic, r = x - (shifted - magic), z = r * r;
  double p = -0x1.cc9b5f4c95e58p-8;
  p = p * z + 0x1.5014072cd977ep-4;
  p = p * z - 0x1.32d12ebe734acp-1;
  p = p * z + 0x1.466bc06900cbap+1;
  p = p * z - 0x1.4abbce51c31f3p+2;
  p = p * z + 0x1.921fb54425517p+1;
  return as_double(as_ulong(p * r) ^ as_ulong(shifted) << 63);
}

OVERLOADABLE float tgamma(float x) {
  bool reflected = x < 0.5f;
  // Outside this range the results are infinite or zero.
  double limited = limit(x, -60.0f, 60.0f), t = reflected ? 1.0 - limited : limited, u = t + 3.0;
  double u2 = u * u, stirling = stirlingPolynomial(u), steps = t * (t + 1.0) * (t + 2.0) * (u2 * u2 * u);
  double exponent = (u - 0.5) * log2Moderate(u) - u * 0x1.71547652b82fep+0;
  double quotient = (reflected ? steps * M_PI : stirling) / (reflected ? stirling * sinPi(x) : steps);
  float result = (float)(quotient * exp2Wide(reflected ? -exponent : exponent));
  bool is_pole = x < 0.0f && __builtin_truncf(x) == x;
  return x != x || is_pole ? NAN : result;
}

VECTORS_OF_UNARY(tgamma)
