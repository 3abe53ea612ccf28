// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// erf and erfc of double.
#include "double_math.h"
#include "error_function_table.h"

// Returns erf(x) for |x| <= 1 with a relative error of 2^-56.
INLINE double erfSmall(double x) {
  double z = x * x, square = z * z;
  double odd = -0x1.a89dd161f0c47p-31;
  odd = odd * square - 0x1.5bdc3ebd3ca7dp-23;
  odd = odd * square - 0x1.f4c97b29aab78p-17;
  odd = odd * square - 0x1.c02daf8e4c32dp-11;
  odd = odd * square - 0x1.b82ce311cd245p-6;
  odd = odd * square - 0x1.812746b0379a3p-2;
  double even = 0x1.d604799b78cf5p-27;
  even = even * square + 0x1.b97851977c8f9p-20;
  even = even * square + 0x1.f9a2abc2550adp-14;
  even = even * square + 0x1.565bccf40e64bp-8;
  even = even * square + 0x1.ce2f21a03ffb8p-4;
  even = even * square + 0x1.06eba8214db68p-3;
  return x * (odd * z + even) + x;
}

// Returns erfc(x) for x from 0 to 27.3, where the result is zero, with a relative error of 2^-51. It is
// e^(-x^2) / (x + 4) times a polynomial in (x - 4) / (x + 4). The rounding error of x^2 is added to the exponent.
INLINE double erfcOfPositive(double x) {
  double over = reciprocal(x + 4.0), t = (x - 4.0) * over, z = t * t;
  double odd = -0x1.a3566bb2629c8p-29;
  odd = odd * z + 0x1.4f7685e436e34p-27;
  odd = odd * z - 0x1.7157cd46231ccp-24;
  odd = odd * z + 0x1.801c43bbe8dc9p-20;
  odd = odd * z - 0x1.3c79df8e4be48p-16;
  odd = odd * z + 0x1.72cdf7a3f8c31p-13;
  odd = odd * z - 0x1.269b57031f778p-12;
  odd = odd * z - 0x1.b00c052b5c006p-6;
  odd = odd * z - 0x1.645fd8a4ba8fdp-3;
  odd = odd * z - 0x1.14eacb1ad03dp-1;
  odd = odd * z - 0x1.f3fe31ecb49bep-1;
  double even = -0x1.f6a60010c5ef4p-27;
  even = even * z + 0x1.0f947d5e1599ap-23;
  even = even * z - 0x1.c8d667ce3aa94p-21;
  even = even * z + 0x1.3b4b4929517b5p-18;
  even = even * z - 0x1.e822b305f6f2ap-19;
  even = even * z - 0x1.dd2826833bf13p-12;
  even = even * z + 0x1.908f46d446cdfp-8;
  even = even * z + 0x1.38dbd2c95d73ap-4;
  even = even * z + 0x1.52cac2370e73p-2;
  even = even * z + 0x1.8be202d26c759p-1;
  even = even * z + 0x1.18932bf08e154p+0;
  double square = x * x, lost = __builtin_fma(x, x, -square), factor = (odd * t + even) * over;
  if (__lanecl_has_lane_instructions()) {
    Nearest n = nearestSixteenth(-square, M_LOG2E);
    factor *= __lanecl_lookup(kRootsOfTwo, n.bits);
    return scale(expMinusOneNarrow(withoutPowersOfTwo(-square, n) - lost) * factor + factor, n);
  }
  Nearest n = nearestProduct(-square, M_LOG2E);
  return scale(expMinusOne(withoutPowersOfTwo(-square, n) - lost) * factor + factor, n);
}

OVERLOADABLE double erfc(double x) {
  double positive = erfcOfPositive(limit(absolute(x), 0.0, 27.3));
  return x < 0.0 ? 2.0 - positive : positive;
}

// Returns erf(x) with AVX-512's lookups: Horner's rule with the coefficients of each lane's interval.
INLINE double erfByTable(double x) {
  double magnitude = absolute(x);
  magnitude = magnitude > 6.25 ? 6.25 : magnitude;
  Nearest n = nearestProduct(magnitude, 32.0 / 13.0);
  double distance = magnitude - n.value * (13.0 / 32.0), p = __lanecl_lookup(kErf[12], n.bits);
#pragma unroll
  for (int power = 11; power >= 0; --power)
    p = p * distance + __lanecl_lookup(kErf[power], n.bits);
  return withSignOf(p, x);
}

OVERLOADABLE double erf(double x) {
  if (__lanecl_has_lane_instructions())
    return erfByTable(x);
  double magnitude = absolute(x), result = erfSmall(x);
  if (magnitude > 1.0)
    result = withSignOf(1.0 - erfcOfPositive(limit(magnitude, 0.0, 7.0)), x);
  return result;
}

UNARY_VECTORS(erf, double)
UNARY_VECTORS(erfc, double)
