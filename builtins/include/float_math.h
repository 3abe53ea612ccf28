// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helpers of the single-precision functions. They are written for lanes: no tables, no branches except to rare paths,
// and all results chosen by selects, so that no masks are needed.
#pragma once

#include "lane_instructions.h"
#include "vector_forms.h"

#define VECTORS_OF_UNARY(f) UNARY_VECTORS(f, float)
#define VECTORS_OF_BINARY(f, T) BINARY_VECTORS(f, float, T)

INLINE float absolute(float x) { return __builtin_fabsf(x); }
INLINE float withSignOf(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }

// A NaN is returned unchanged, as a comparison with it is false.
INLINE float limit(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// The nearest integer of |x| < 2^22, as a float and, in the low bits, as an int: without a conversion, which would be
// undefined for a NaN.
typedef struct {
  float value;
  int bits;
} Nearest;
// Of x * factor, rounded once.
INLINE Nearest nearestProduct(float x, float factor) {
  const float magic = 0x1.8p23f;
  float shifted = x * factor + magic;
  return (Nearest){shifted - magic, as_int(shifted) - as_int(magic)};
}
INLINE Nearest nearest(float x) { return nearestProduct(x, 1.0f); }

INLINE float powerOfTwo(int n) { return as_float((n + 127) << 23); }

// x * 2^n for |n| <= 252, rounded once.
INLINE float scale(float x, Nearest n) { return __lanecl_scale(x, n.value, n.bits); }

// 1 / x for |x| in [2^-126, 2^126], error 1 ulp.
INLINE float reciprocal(float x) {
  float y = __lanecl_reciprocal_estimate(x);
  return __lanecl_has_lane_instructions() ? __builtin_fmaf(-x, y, 1.0f) * y + y : y;
}

// x = mantissa * 2^exponent with the mantissa in [3/4, 3/2), for positive x, denormal ones included. The exponent of zero
// is -infinity; the mantissa of negative numbers is a NaN.
typedef struct {
  float mantissa, exponent;
} Split;
// Positive, too. By one comparison of the bits: LLVM would take two of the number for a class, which it tests in pieces.
INLINE bool isNormal(float x) {
  const uint least = 0x00800000, infinity = 0x7f800000;
  return as_uint(x) - least < infinity - least;
}
INLINE Split splitBits(float normal) {
  const int three_quarters = 0x3f400000, bits = as_int(normal) - three_quarters;
  return (Split){as_float((bits & 0x7fffff) + three_quarters), (float)(bits >> 23)};
}
// Without instructions for them, the parts of a normal number take few, and lanes mostly skip the others together.
INLINE Split split(float x) {
  Split s = splitBits(x);
  if (__lanecl_has_lane_instructions() || !isNormal(x))
    s = (Split){__lanecl_mantissa(x), __lanecl_exponent(x)};
  return s;
}

// The same, but without AVX-512's instructions denormal numbers count as zero, and the exponent, not the mantissa, is NaN
// for negative ones.
INLINE Split splitNormal(float x) {
  if (__lanecl_has_lane_instructions())
    return split(x);
  Split s = splitBits(x);
  float exponent = x >= 0x1p-126f ? s.exponent : x >= 0.0f ? -INFINITY : NAN;
  return (Split){s.mantissa, x == INFINITY ? x : exponent};
}

// 2^x = 2^rest * power with the rest in [0, 1), where the power is neither zero nor infinite: denormal results are zero.
typedef struct {
  float rest, power;
} NormalPower;
INLINE NormalPower normalPower(float x) {
  x = limit(x, -127.0f, 128.0f);
  float n = __builtin_floorf(x);
  return (NormalPower){x - n, powerOfTwo(nearest(n).bits)};
}

// 2^r for |r| <= 1/2, relative error 2^-26.
INLINE float exp2Fraction(float r) {
  float p = 0x1.4418e6p-13f;
  p = p * r + 0x1.5f104ep-10f;
  p = p * r + 0x1.3b2a4ep-7f;
  p = p * r + 0x1.c6af62p-5f;
  p = p * r + 0x1.ebfbep-3f;
  p = p * r + 0x1.62e43p-1f;
  return p * r + 1.0f;
}

// 2^r for 0 <= r <= 1, relative error 2^-29.
INLINE float exp2Positive(float r) {
  float p = 0x1.c4456ep-13f;
  p = p * r + 0x1.47373ap-10f;
  p = p * r + 0x1.3cfd82p-7f;
  p = p * r + 0x1.c68af6p-5f;
  p = p * r + 0x1.ebfd3ap-3f;
  p = p * r + 0x1.62e42cp-1f;
  return p * r + 1.0f;
}

// x - n * log(2), the constant in two parts, the first short enough for n times it to be exact.
INLINE float withoutPowersOfTwo(float x, Nearest n) {
  float r = x - n.value * 0x1.62ep-1f;
  return r - n.value * 0x1.0bfbe8p-15f;
}

// e^r - 1 for |r| <= log(2) / 2; the error is 2^-26 of e^r.
INLINE float expMinusOne(float r) {
  float p = 0x1.6d1606p-10f;
  p = p * r + 0x1.12106cp-7f;
  p = p * r + 0x1.555516p-5f;
  p = p * r + 0x1.5554d8p-3f;
  p = p * r + 0.5f;
  return r * r * p + r;
}
