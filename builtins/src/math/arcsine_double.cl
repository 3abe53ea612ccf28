// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// asin, acos and their multiples of 1/pi for double. Above 1/2: asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
#include "double_math.h"

// The arcsine of |x|, or above 1/2 the arcsine of the root above. It is NaN for |x| > 1. The relative error is 2^-55.
typedef struct {
  double angle;
  bool is_large;
} Arcsine;
INLINE Arcsine arcsine(double x) {
  double magnitude = absolute(x);
  bool is_large = magnitude > 0.5;
  double z = is_large ? 0.5 - 0.5 * magnitude : x * x;
  double root = z == 0.0 ? 0.0 : moderateRoot(z), s = is_large ? root : magnitude, square = z * z;
  double odd = 0x1.055cf9dd16a38p-5;
  odd = odd * square + 0x1.3fd6ea55d567dp-6;
  odd = odd * square + 0x1.8ebe2ac5428d2p-7;
  odd = odd * square + 0x1.1c6bd8bca085cp-6;
  odd = odd * square + 0x1.f1c72c335f145p-6;
  odd = odd * square + 0x1.333333336e6f6p-4;
  double even = -0x1.09a3c1dc04276p-6;
  even = even * square + 0x1.abfa07dc02426p-8;
  even = even * square + 0x1.c6fe78453c5e2p-7;
  even = even * square + 0x1.6e89f4d0523cp-6;
  even = even * square + 0x1.6db6db4289b88p-5;
  even = even * square + 0x1.555555555539p-3;
  return (Arcsine){s * z * (odd * z + even) + s, is_large};
}

// Compute the results from this angle. A right angle is `right` + `rest`: pi/2 in two parts, or 1/2.
INLINE double arcsineOf(double x, Arcsine a, double right, double rest) {
  return withSignOf(a.is_large ? right - (2.0 * a.angle - rest) : a.angle, x);
}
INLINE double arccosineOf(double x, Arcsine a, double right, double rest) {
  double near_axis = x < 0.0 ? 2.0 * right - (2.0 * a.angle - 2.0 * rest) : 2.0 * a.angle;
  return a.is_large ? near_axis : right - (withSignOf(a.angle, x) - rest);
}

OVERLOADABLE double asin(double x) { return arcsineOf(x, arcsine(x), M_PI_2, 0x1.1a62633145c07p-54); }
OVERLOADABLE double acos(double x) { return arccosineOf(x, arcsine(x), M_PI_2, 0x1.1a62633145c07p-54); }

INLINE Arcsine inHalfTurns(Arcsine a) { return (Arcsine){a.angle * M_1_PI, a.is_large}; }
OVERLOADABLE double asinpi(double x) { return arcsineOf(x, inHalfTurns(arcsine(x)), 0.5, 0.0); }
OVERLOADABLE double acospi(double x) { return arccosineOf(x, inHalfTurns(arcsine(x)), 0.5, 0.0); }

UNARY_VECTORS(asin, double)
UNARY_VECTORS(acos, double)
UNARY_VECTORS(asinpi, double)
UNARY_VECTORS(acospi, double)
