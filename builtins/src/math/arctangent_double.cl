// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// atan, atan2 and their multiples of 1/pi for double. One division gives the tangent of the angle to the nearest
// multiple of pi/4, which is at most tan(pi/8).
#include "double_math.h"

// Returns atan(t) for t in [-tan(pi/8), tan(pi/8)] with a relative error of 2^-59.
INLINE double atanPolynomial(double t) {
  double z = t * t, square = z * z;
  double odd = 0x1.37d27ee1fb747p-5;
  odd = odd * square + 0x1.df0f0a3c7fd9fp-5;
  odd = odd * square + 0x1.3b1118c5a0784p-4;
  odd = odd * square + 0x1.c71c70e5f0a69p-4;
  odd = odd * square + 0x1.9999999995866p-3;
  double even = -0x1.2563431729b44p-6;
  even = even * square - 0x1.9cd18aa4e0724p-5;
  even = even * square - 0x1.10ebb413ad20fp-4;
  even = even * square - 0x1.745cf8d826425p-4;
  even = even * square - 0x1.24924922ad28dp-3;
  even = even * square - 0x1.555555555553dp-2;
  return t * z * (odd * z + even) + t;
}

// The angle `eighths` * pi/4 + `rest`.
typedef struct {
  double eighths, rest;
} Angle;

// Returns the angle of the point (x, y) with x, y >= 0, mirrored at the y axis if it is left of that. The larger
// coordinate must be in the range of reciprocal().
INLINE Angle angleOf(double y, double x, bool is_left) {
  bool is_steep = y > x;
  double small = is_steep ? x : y, large = is_steep ? y : x;
  bool is_diagonal = small > 0x1.a827999fcef32p-2 * large;
  double dividend = is_diagonal ? small - large : small, divisor = is_diagonal ? small + large : large;
  double rest = atanPolynomial(dividend * reciprocal(divisor)), eighths = is_diagonal ? 1.0 : 0.0;
  eighths = is_steep ? 2.0 - eighths : eighths;
  return (Angle){is_left ? 4.0 - eighths : eighths, is_steep != is_left ? -rest : rest};
}

INLINE double inRadians(Angle a) {
  return __builtin_fma(a.eighths, 0x1.921fb54442d18p-1, a.eighths * 0x1.1a62633145c07p-55 + a.rest);
}
INLINE double halfTurns(Angle a) { return a.eighths * 0.25 + a.rest * M_1_PI; }

// Returns the angle whose tangent is |x|. Above 2^60 it is a right angle.
INLINE Angle angleOfTangent(double x) {
  double magnitude = absolute(x);
  return angleOf(magnitude > 0x1p60 ? 0x1p60 : magnitude, 1.0, false);
}
OVERLOADABLE double atan(double x) { return withSignOf(inRadians(angleOfTangent(x)), x); }
OVERLOADABLE double atanpi(double x) { return withSignOf(halfTurns(angleOfTangent(x)), x); }

// Returns the angle for very large or very small coordinates by scaling them. Coordinates that become zero or denormal
// change nothing. Infinite coordinates become 1 and finite ones beside them 0. Two zeros are a point on the x axis.
static Angle angleOfExtreme(double y, double x, bool is_left) {
  bool is_infinite = x == INFINITY || y == INFINITY;
  double factor = x > 1.0 || y > 1.0 ? 0x1p-200 : 0x1p200;
  double scaled_y = is_infinite ? (y == INFINITY ? 1.0 : 0.0) : y * factor;
  double scaled_x = is_infinite ? (x == INFINITY ? 1.0 : 0.0) : x * factor;
  return angleOf(scaled_y, x == 0.0 && y == 0.0 ? 1.0 : scaled_x, is_left);
}

INLINE Angle angleOfPoint(double y, double x) {
  bool is_left = as_long(x) < 0;
  y = absolute(y);
  x = absolute(x);
  Angle result = angleOf(y, x, is_left);
  double larger = x > y ? x : y;
  if (!(larger > 0x1p-900 && larger < 0x1p900))
    result = angleOfExtreme(y, x, is_left);
  return result;
}
OVERLOADABLE double atan2(double y, double x) {
  double angle = withSignOf(inRadians(angleOfPoint(y, x)), y);
  return x != x || y != y ? NAN : angle;
}
OVERLOADABLE double atan2pi(double y, double x) {
  double angle = withSignOf(halfTurns(angleOfPoint(y, x)), y);
  return x != x || y != y ? NAN : angle;
}

UNARY_VECTORS(atan, double)
UNARY_VECTORS(atanpi, double)
BINARY_VECTORS(atan2, double, double)
BINARY_VECTORS(atan2pi, double, double)
