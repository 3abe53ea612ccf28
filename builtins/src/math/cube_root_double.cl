// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cbrt of double: a polynomial for the reciprocal of the root, followed by Newton's steps.
#include "double_math.h"

// Returns 1 / cbrt(x) for x in [3/8, 3] to 7 bits.
INLINE double inverseRoot(double x) {
  double p = 0x1.4fd8b2p-5;
  p = p * x - 0x1.5d6276p-2;
  p = p * x + 0x1.11bda8p+0;
  p = p * x - 0x1.a12e18p+0;
  p = p * x + 0x1.dad9ccp+0;
  return p;
}

OVERLOADABLE double cbrt(double x) {
  double magnitude = absolute(x);
  Split s = split(magnitude);
  // The exponent is divided by 3. The remainder, -1, 0 or 1, goes into the mantissa.
  Nearest third = nearest(limit(s.exponent, -1100.0, 1100.0) * (1.0 / 3.0));
  double remainder = s.exponent - 3.0 * third.value;
  double m = __lanecl_has_lane_instructions()
                 ? __lanecl_scale(s.mantissa, remainder, 0ul)
                 : s.mantissa * (remainder > 0.0 ? 2.0 : remainder < 0.0 ? 0.5 : 1.0);
  double y = inverseRoot(m), c = 1.0 - m * y * (y * y);
  double p = c * (35.0 / 243.0) + 14.0 / 81.0;
  p = p * c + 2.0 / 9.0;
  p = p * c + 1.0 / 3.0;
  y = y * c * p + y;
  double square = y * y, root = m * square;
  root = (m - root * root * root) * (square * (1.0 / 3.0)) + root;
  bool is_moderate = magnitude > 0.0 && magnitude < INFINITY;
  return is_moderate ? withSignOf(root * powerOfTwo(third.bits), x) : x;
}

UNARY_VECTORS(cbrt, double)
