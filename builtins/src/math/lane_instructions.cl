// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Implements the lane instructions on processors that do not have them (see vectorizer/contract/lane_instructions.def).
#include "lane_instructions.h"

OVERLOADABLE int __lanecl_has_lane_instructions(void) { return 0; }
OVERLOADABLE int __lanecl_has_half_arithmetic(void) { return 0; }

// Scales in two steps. The first factor leaves x normal, so that only the second one rounds to a denormal number.
OVERLOADABLE float __lanecl_scale(float x, float n, int bits) {
  int first = bits >> 1;
  return x * as_float((first + 127) << 23) * as_float((bits - first + 127) << 23);
}
static inline double powerOfTwo(ulong n) { return as_double((n + 1023) << 52); }
OVERLOADABLE double __lanecl_scale(double x, double n, ulong bits) {
  ulong first = ((bits + 4096) >> 1) - 2048;
  return x * powerOfTwo(first) * powerOfTwo(bits - first);
}

// Returns the bits of x minus those of 3/4: the exponent, and in the low bits the mantissa minus 3/4.
static inline OVERLOADABLE int splitBits(float x) { return as_int(x < 0x1p-126f ? x * 0x1p23f : x) - 0x3f400000; }
static inline OVERLOADABLE ulong splitBits(double x) { return as_ulong(x < 0x1p-1022 ? x * 0x1p52 : x) - 0x3fe8000000000000; }

OVERLOADABLE float __lanecl_mantissa(float x) {
  float mantissa = as_float((splitBits(x) & 0x7fffff) + 0x3f400000);
  return x >= 0.0f ? mantissa : NAN;
}
OVERLOADABLE float __lanecl_exponent(float x) {
  float exponent = (float)(splitBits(x) >> 23) - (x < 0x1p-126f ? 23.0f : 0.0f);
  exponent = x == 0.0f ? -INFINITY : exponent;
  return x < INFINITY ? exponent : x;
}

OVERLOADABLE double __lanecl_mantissa(double x) {
  double mantissa = as_double((splitBits(x) & 0xfffffffffffff) + 0x3fe8000000000000);
  return x >= 0.0 ? mantissa : NAN;
}
OVERLOADABLE double __lanecl_exponent(double x) {
  // The exponent, made positive, becomes the low bits of a double, because vectors have no conversion from 64-bit
  // integers.
  const double offset = 0x1p52 + 1024.0;
  double exponent = as_double((splitBits(x) + (1024ul << 52)) >> 52 | as_ulong(0x1p52)) - offset;
  exponent -= x < 0x1p-1022 ? 52.0 : 0.0;
  exponent = x == 0.0 ? -INFINITY : exponent;
  return x < INFINITY ? exponent : x;
}

// The mantissa is in [3/4, 3/2), so a mantissa below 1 belongs to the exponent below.
OVERLOADABLE float __lanecl_floor_exponent(float x) {
  return __lanecl_exponent(x) - (__lanecl_mantissa(x) < 1.0f ? 1.0f : 0.0f);
}
OVERLOADABLE double __lanecl_floor_exponent(double x) {
  return __lanecl_exponent(x) - (__lanecl_mantissa(x) < 1.0 ? 1.0 : 0.0);
}

OVERLOADABLE double __lanecl_lookup(__constant const double *table, ulong index) { return table[index & 15]; }

// Return x minus the nearest integer, and x minus the integer below. For infinite x they are zero.
OVERLOADABLE float __lanecl_nearest_rest(float x) {
  return __builtin_fabsf(x) == INFINITY ? 0.0f : x - __builtin_rintf(x);
}
OVERLOADABLE double __lanecl_nearest_rest(double x) {
  return __builtin_fabs(x) == INFINITY ? 0.0 : x - __builtin_rint(x);
}

OVERLOADABLE float __lanecl_floor_rest(float x) {
  return __builtin_fabsf(x) == INFINITY ? 0.0f : x - __builtin_floorf(x);
}
OVERLOADABLE double __lanecl_floor_rest(double x) {
  return __builtin_fabs(x) == INFINITY ? 0.0 : x - __builtin_floor(x);
}

// Without AVX-512 the estimates are complete quotients and roots.
OVERLOADABLE float __lanecl_reciprocal_estimate(float x) { return 1.0f / x; }
OVERLOADABLE double __lanecl_reciprocal_estimate(double x) { return 1.0 / x; }
OVERLOADABLE float __lanecl_reciprocal_root_estimate(float x) { return 1.0f / __builtin_sqrtf(x); }
OVERLOADABLE double __lanecl_reciprocal_root_estimate(double x) { return 1.0 / __builtin_sqrt(x); }
OVERLOADABLE float __lanecl_rough_reciprocal(float x) { return 1.0f / x; }
OVERLOADABLE float __lanecl_rough_reciprocal_root(float x) { return 1.0f / __builtin_sqrtf(x); }
