// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// tgamma of double with Stirling's formula for arguments from 5.5 on. Other arguments are reduced by
//   G(t + 5) = t (t + 1) (t + 2) (t + 3) (t + 4) G(t)
// and, below 1/2, by
//   G(x) G(1 - x) = pi / sin(pi x).
#include "power_double.h"

// Returns G(u) / (u^(u - 1/2) e^-u) * u^9 with a relative error of 2^-53.
INLINE double stirlingPolynomial(double u) {
  double p = 0x1.40d931ff6270ap+1;
  p = p * u + 0x1.abcc42a9d30d2p-3;
  p = p * u + 0x1.1d32d743298e2p-7;
  p = p * u - 0x1.b8794095b4b9dp-8;
  p = p * u - 0x1.2d8225f615dbfp-11;
  p = p * u + 0x1.014e7a9326157p-9;
  p = p * u + 0x1.a37b263bde205p-13;
  p = p * u - 0x1.b43e36d5f7750p-10;
  p = p * u + 0x1.4682b1377438fp-11;
  return p * u + 0x1.3c340a4d3013bp-11;
}

// Returns log2(u^(u - 1/2) e^-u) for an argument that was rounded to u with the error `lost`. The derivative log2(u) -
// log2(e) / (2u), times `lost`, corrects the result.
INLINE Pair stirlingExponent(double u, double lost) {
  const double log2_e_low = 0x1.777d0ffda0d24p-56;
  Pair logarithm = log2Pair(u), power = product(u - 0.5, logarithm.high), linear = product(u, M_LOG2E);
  double high = power.high - linear.high, back = high - power.high;
  double error = power.high - (high - back) - (linear.high + back);
  double low = power.low + (u - 0.5) * logarithm.low - (linear.low + u * log2_e_low);
  return (Pair){high, error + (low + lost * (logarithm.high - 0.5 * M_LOG2E / u))};
}

OVERLOADABLE double tgamma(double x) {
  bool reflected = x < 0.5;
  // Outside this range the results are infinite or zero.
  double limited = limit(x, -190.0, 190.0), start = reflected ? 6.0 : 5.0, step = reflected ? -limited : limited;
  double t = reflected ? 1.0 - limited : limited, u = start + step, taken = u - start;
  double lost = start - (u - taken) + (step - taken);
  double u2 = u * u, u4 = u2 * u2, stirling = stirlingPolynomial(u);
  double steps = t * (t + 1.0) * ((t + 2.0) * (t + 3.0)) * (t + 4.0) * (u4 * u4 * u);
  // The power of two keeps all products but the last one in range. exp2Pair() takes it back.
  const double scaled_pi = M_PI * 0x1p-256;
  double numerator = reflected ? steps * scaled_pi : stirling * 0x1p256;
  double quotient = numerator / (reflected ? stirling * sinpi(x) : steps);
  Pair exponent = stirlingExponent(u, lost);
  exponent.high = reflected ? -exponent.high : exponent.high;
  exponent.low = reflected ? -exponent.low : exponent.low;
  double result = quotient * exp2Pair(exponent, reflected ? 256 : -256);
  bool is_pole = x < 0.0 && __builtin_trunc(x) == x;
  return x != x || is_pole ? NAN : result;
}

UNARY_VECTORS(tgamma, double)
