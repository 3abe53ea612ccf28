// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helpers of the single-precision functions. They are written for lanes: there are no tables, no branches except to
// rare cases, and all results are chosen by selects, so that no masks are needed.
#pragma once

#include "lane_instructions.h"
#include "vector_forms.h"

#define VECTORS_OF_UNARY(f) UNARY_VECTORS(f, float)
#define VECTORS_OF_BINARY(f, T) BINARY_VECTORS(f, float, T)

INLINE float absolute(float x) { return __builtin_fabsf(x); }
INLINE float withSignOf(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }

// Limits x to [low, high]. A NaN is returned unchanged, because comparisons with it are false.
INLINE float limit(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// The nearest integer to some |x| < 2^22: as a float and, in the low bits, as an int. Adding 1.5 * 2^23 shifts the
// integer there. A conversion would be undefined for a NaN.
typedef struct {
  float value;
  int bits;
} Nearest;
// Returns the nearest integer to x * factor, which is rounded only once.
INLINE Nearest nearestProduct(float x, float factor) {
  const float magic = 0x1.8p23f;
  float shifted = x * factor + magic;
  return (Nearest){shifted - magic, as_int(shifted) - as_int(magic)};
}
INLINE Nearest nearest(float x) { return nearestProduct(x, 1.0f); }

// Returns 2^n for n in [-126, 127].
INLINE float powerOfTwo(int n) { return as_float((n + 127) << 23); }

// Returns x * 2^n for |n| <= 252, rounded once.
INLINE float scale(float x, Nearest n) { return __lanecl_scale(x, n.value, n.bits); }

// Returns 1 / x for |x| in [2^-126, 2^126] with an error of 1 ulp.
INLINE float reciprocal(float x) {
  float y = __lanecl_reciprocal_estimate(x);
  return __lanecl_has_lane_instructions() ? __builtin_fmaf(-x, y, 1.0f) * y + y : y;
}

// A positive number x = mantissa * 2^exponent with the mantissa in [3/4, 3/2), also for denormal x. The exponent of
// zero is -infinity. The mantissa of negative numbers is NaN.
typedef struct {
  float mantissa, exponent;
} Split;
// Whether x is normal and positive. One comparison of the bits decides: LLVM would combine two comparisons of the
// number to a class test (llvm.is.fpclass), which takes more instructions.
INLINE bool isNormal(float x) {
  const uint least = 0x00800000, infinity = 0x7f800000;
  return as_uint(x) - least < infinity - least;
}
// Splits a positive normal number by its bits.
INLINE Split splitBits(float normal) {
  const int three_quarters = 0x3f400000, bits = as_int(normal) - three_quarters;
  return (Split){as_float((bits & 0x7fffff) + three_quarters), (float)(bits >> 23)};
}
// Without AVX-512's instructions for mantissa and exponent, the branch is for rare numbers only, and lanes mostly skip
// it together.
INLINE Split split(float x) {
  Split s = splitBits(x);
  if (__lanecl_has_lane_instructions() || !isNormal(x))
    s = (Split){__lanecl_mantissa(x), __lanecl_exponent(x)};
  return s;
}

// Like split(), but without AVX-512's instructions denormal numbers count as zero, and of negative numbers the exponent
// is NaN, not the mantissa.
INLINE Split splitNormal(float x) {
  if (__lanecl_has_lane_instructions())
    return split(x);
  Split s = splitBits(x);
  float exponent = x >= 0x1p-126f ? s.exponent : x >= 0.0f ? -INFINITY : NAN;
  return (Split){s.mantissa, x == INFINITY ? x : exponent};
}

// 2^x = 2^rest * power, with the rest in [0, 1) and a power that is neither zero nor infinite. Denormal results become
// zero.
typedef struct {
  float rest, power;
} NormalPower;
INLINE NormalPower normalPower(float x) {
  x = limit(x, -127.0f, 128.0f);
  float n = __builtin_floorf(x);
  return (NormalPower){x - n, powerOfTwo(nearest(n).bits)};
}

// Returns 2^r for |r| <= 1/2 with a relative error of 2^-26.
INLINE float exp2Fraction(float r) {
  float p = 0x1.4418e6p-13f;
  p = p * r + 0x1.5f104ep-10f;
  p = p * r + 0x1.3b2a4ep-7f;
  p = p * r + 0x1.c6af62p-5f;
  p = p * r + 0x1.ebfbep-3f;
  p = p * r + 0x1.62e43p-1f;
  return p * r + 1.0f;
}

// Returns 2^r for 0 <= r <= 1 with a relative error of 2^-29.
INLINE float exp2Positive(float r) {
  float p = 0x1.c4456ep-13f;
  p = p * r + 0x1.47373ap-10f;
  p = p * r + 0x1.3cfd82p-7f;
  p = p * r + 0x1.c68af6p-5f;
  p = p * r + 0x1.ebfd3ap-3f;
  p = p * r + 0x1.62e42cp-1f;
  return p * r + 1.0f;
}

// Returns x - n * log(2). The constant has two parts, the first of which is so short that n times it is exact.
INLINE float withoutPowersOfTwo(float x, Nearest n) {
  float r = x - n.value * 0x1.62ep-1f;
  return r - n.value * 0x1.0bfbe8p-15f;
}

// Returns e^r - 1 for |r| <= log(2) / 2. The error is 2^-26 of e^r.
INLINE float expMinusOne(float r) {
  float p = 0x1.6d1606p-10f;
  p = p * r + 0x1.12106cp-7f;
  p = p * r + 0x1.555516p-5f;
  p = p * r + 0x1.5554d8p-3f;
  p = p * r + 0.5f;
  return r * r * p + r;
}
