// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helpers of the double-precision functions. Like those of single precision (float_math.h) they are written for lanes.
#pragma once

#include "lane_instructions.h"
#include "vector_forms.h"

INLINE double absolute(double x) { return __builtin_fabs(x); }
INLINE double withSignOf(double magnitude, double sign) { return __builtin_copysign(magnitude, sign); }

// Limits x to [low, high]. A NaN is returned unchanged, because comparisons with it are false.
INLINE double limit(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// The nearest integer to some |x| < 2^51: as a double and, in the low bits, as an integer. Adding 1.5 * 2^52
// shifts the integer there; AVX2 has no conversion from vectors of double to 64-bit integers.
typedef struct {
  double value;
  ulong bits;
} Nearest;
// Returns the nearest integer to x * factor, which is rounded only once.
INLINE Nearest nearestProduct(double x, double factor) {
  const double magic = 0x1.8p52;
  double shifted = x * factor + magic;
  return (Nearest){shifted - magic, as_ulong(shifted) - as_ulong(magic)};
}
INLINE Nearest nearest(double x) { return nearestProduct(x, 1.0); }

// Returns the nearest multiple of 1/16 to x * factor, for |x * factor| < 2^46. The bits are those of 16 times the
// multiple.
INLINE Nearest nearestSixteenth(double x, double factor) {
  const double magic = 0x1.8p48;
  double shifted = x * factor + magic;
  return (Nearest){shifted - magic, as_ulong(shifted) - as_ulong(magic)};
}

// Returns 2^n for n in [-1022, 1023].
INLINE double powerOfTwo(ulong n) { return as_double((n + 1023) << 52); }

// Returns x * 2^n for |n| <= 2044, rounded once.
INLINE double scale(double x, Nearest n) { return __lanecl_scale(x, n.value, n.bits); }

// Returns 1 / x for |x| in [2^-1022, 2^1022] with an error of 1 ulp. Each of the two Newton steps squares the error of
// the estimate; after the first one it is 2^-28.
INLINE double reciprocal(double x) {
  double y = __lanecl_reciprocal_estimate(x);
  if (!__lanecl_has_lane_instructions())
    return y;
  double error = __builtin_fma(-x, y, 1.0);
  y = error * y + y;
  return __builtin_fma(-x, y, 1.0) * y + y;
}

// Returns x / y for y as for reciprocal(), with an error of 1 ulp where |x| > 2^-960. The reciprocal has an error of
// 2^-28, and a correction step makes the quotient's error the square of that.
INLINE double quotient(double x, double y) {
  if (!__lanecl_has_lane_instructions())
    return x / y;
  double over = __lanecl_reciprocal_estimate(y);
  over = __builtin_fma(-y, over, 1.0) * over + over;
  double q = x * over;
  return __builtin_fma(-q, y, x) * over + q;
}

// Returns sqrt(x) for x in [2^-1000, 2^1000] with an error of 1 ulp, and NaN for negative numbers.
INLINE double moderateRoot(double x) {
  if (!__lanecl_has_lane_instructions())
    return __builtin_sqrt(x);
  double y = __lanecl_reciprocal_root_estimate(x), root = x * y, half_y = 0.5 * y;
  double error = __builtin_fma(-root, half_y, 0.5);
  root = root * error + root;
  half_y = half_y * error + half_y;
  return __builtin_fma(-root, root, x) * half_y + root;
}

// A positive number x = mantissa * 2^exponent with the mantissa in [3/4, 3/2), also for denormal x. The exponent of
// zero is -infinity. The mantissa of negative numbers is NaN.
typedef struct {
  double mantissa, exponent;
} Split;
// Without AVX-512's instructions for mantissa and exponent, both are extracted from the bits of a normal number with
// few operations; other numbers are rare enough for all lanes to skip their branch. The exponent, made positive,
// becomes the low bits of a double, because vectors have no conversion from 64-bit integers.
INLINE Split split(double x) {
  if (__lanecl_has_lane_instructions())
    return (Split){__lanecl_mantissa(x), __lanecl_exponent(x)};
  const ulong three_quarters = 0x3fe8000000000000, bits = as_ulong(x) - three_quarters;
  Split s = {as_double((bits & 0xfffffffffffff) + three_quarters),
             as_double((bits + (1024ul << 52)) >> 52 | as_ulong(0x1p52)) - (0x1p52 + 1024.0)};
  if (!(x >= 0x1p-1022 && x < INFINITY))
    s = (Split){__lanecl_mantissa(x), __lanecl_exponent(x)};
  return s;
}

// Returns e^r - 1 for |r| <= log(2) / 2. The error is 2^-61 of e^r.
INLINE double expMinusOne(double r) {
  double square = r * r;
  double odd = 0x1.af4ddfbb33a59p-26;
  odd = odd * square + 0x1.71de02364614ap-19;
  odd = odd * square + 0x1.a01a01abe683ap-13;
  odd = odd * square + 0x1.11111111100dep-7;
  odd = odd * square + 0x1.5555555555557p-3;
  double even = 0x1.1f72fdb75aa76p-29;
  even = even * square + 0x1.27e4db6718448p-22;
  even = even * square + 0x1.a01a01a6d7b1cp-16;
  even = even * square + 0x1.6c16c16c162d6p-10;
  even = even * square + 0x1.5555555555556p-5;
  even = even * square + 0.5;
  return square * (odd * r + even) + r;
}

static __constant const double kRootsOfTwo[16] = { // 2^(i/16)
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

// Returns 2^n * (1 + fraction), rounded once, for n in sixteenths. It is used only with AVX-512, whose scaling
// takes any n.
INLINE double scaleSixteenths(double fraction, Nearest n) {
  double root = __lanecl_lookup(kRootsOfTwo, n.bits);
  return __lanecl_scale(root * fraction + root, n.value, 0ul);
}

// Returns e^r - 1 for |r| <= log(2) / 32. The error is 2^-56 of e^r.
INLINE double expMinusOneNarrow(double r) {
  double p = 0x1.6c14ca45a47cbp-10;
  p = p * r + 0x1.11123aeeb4ca2p-7;
  p = p * r + 0x1.55555558f8cf5p-5;
  p = p * r + 0x1.555555548f339p-3;
  p = p * r + 0x1.fffffffffffb9p-2;
  return r * r * p + r;
}

// Returns 2^r - 1 for |r| <= 1/32. The error is 2^-57 of 2^r.
INLINE double exp2MinusOneNarrow(double r) {
  double p = 0x1.43081492eb942p-13;
  p = p * r + 0x1.5d89bd6282ea6p-10;
  p = p * r + 0x1.3b2ab6fe2ce18p-7;
  p = p * r + 0x1.c6b08d6e8ccacp-5;
  p = p * r + 0x1.ebfbdff82c553p-3;
  p = p * r + 0x1.62e42fefa39fdp-1;
  return p * r;
}

// Returns 2^r for |r| <= 1/2.
INLINE double exp2Within(double r) {
  double p = 0x1.c4a29324a1038p-36;
  p = p * r + 0x1.e9ec1fcb69a7fp-32;
  p = p * r + 0x1.e4cf10dec0f59p-28;
  p = p * r + 0x1.b524ebd13a55fp-24;
  p = p * r + 0x1.62c02242b879cp-20;
  p = p * r + 0x1.ffcbfc6da6ed1p-17;
  p = p * r + 0x1.430912f86b7dbp-13;
  p = p * r + 0x1.5d87fe78a3f9cp-10;
  p = p * r + 0x1.3b2ab6fba4e79p-7;
  p = p * r + 0x1.c6b08d704a0c6p-5;
  p = p * r + 0x1.ebfbdff82c58fp-3;
  p = p * r + 0x1.62e42fefa39efp-1;
  return p * r + 1.0;
}

// Returns 2^r for 0 <= r <= 1.
INLINE double exp2Positive(double r) {
  double square = r * r;
  double odd = 0x1.43d80d2c3fd25p-35;
  odd = odd * square + 0x1.e91cde84f5ea9p-28;
  odd = odd * square + 0x1.62c3dbacdebf2p-20;
  odd = odd * square + 0x1.430914596d122p-13;
  odd = odd * square + 0x1.3b2ab6fbd79fep-7;
  odd = odd * square + 0x1.ebfbdff82c5c3p-3;
  double even = 0x1.c2293493c73efp-32;
  even = even * square + 0x1.b4d7097635116p-24;
  even = even * square + 0x1.ffcbbe41cf83ap-17;
  even = even * square + 0x1.5d87fe6e2ef11p-10;
  even = even * square + 0x1.c6b08d7048ea6p-5;
  even = even * square + 0x1.62e42fefa39efp-1;
  return (odd * r + even) * r + 1.0;
}

// Returns x - n * log(2). The constant has two parts, the first of which is so short that n times it is exact.
INLINE double withoutPowersOfTwo(double x, Nearest n) {
  double r = x - n.value * 0x1.62e42fefa0000p-1;
  return r - n.value * 0x1.cf79abc9e3b3ap-40;
}
