// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// native_ and half_ functions of float. Each takes about a dozen instructions, and none handles denormal numbers. The
// results have at least 11 bits for the arguments for which half_ functions promise them.
#include "float_math.h"

// Returns 2^r for 0 <= r <= 1 with a relative error of 2^-18.
INLINE float exp2Rough(float r) {
  float p = 0x1.b7f688p-7f;
  p = p * r + 0x1.abf894p-5f;
  p = p * r + 0x1.ee245p-3f;
  p = p * r + 0x1.62d6c6p-1f;
  return p * r + 1.0f;
}

OVERLOADABLE float native_exp2(float x) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(exp2Rough(__lanecl_floor_rest(x)), x, 0);
  NormalPower two = normalPower(x);
  return exp2Rough(two.rest) * two.power;
}
OVERLOADABLE float native_exp(float x) { return native_exp2(x * M_LOG2E_F); }
OVERLOADABLE float native_exp10(float x) { return native_exp2(x * 0x1.a934fp+1f); }

// Returns log2(1 + f) for f in [-1/4, 1/2] with a relative error of 2^-17.
INLINE float log2Rough(float f) {
  float p = -0x1.3781d8p-3f;
  p = p * f + 0x1.2e212ap-2f;
  p = p * f - 0x1.7a6452p-2f;
  p = p * f + 0x1.eccdf6p-2f;
  p = p * f - 0x1.713d5ap-1f;
  p = p * f + 0x1.715438p+0f;
  return p * f;
}

OVERLOADABLE float native_log2(float x) {
  Split s = splitNormal(x);
  return log2Rough(s.mantissa - 1.0f) + s.exponent;
}
OVERLOADABLE float native_log(float x) { return native_log2(x) * M_LN2_F; }
OVERLOADABLE float native_log10(float x) { return native_log2(x) * 0x1.344136p-2f; }

// Returns x - n * pi, which is good for |x| up to about 2^16. AVX-512 always has fma, with which the first difference
// is exact.
INLINE float withoutHalfTurns(float x, float n) {
  if (__lanecl_has_lane_instructions())
    return __builtin_fmaf(-n, -0x1.777a5cp-24f, __builtin_fmaf(-n, 0x1.921fb6p+1f, x));
  float r = x - n * 0x1.92p+1f;
  r = r - n * 0x1.fb4p-11f;
  return r - n * 0x1.4442d2p-23f;
}
// Returns sin(r) for |r| <= pi/2, negated after an odd number of half turns.
INLINE float sineAfterHalfTurns(float r, int half_turns) {
  float z = r * r;
  float p = 0x1.61a18ap-19f;
  p = p * z - 0x1.9fb686p-13f;
  p = p * z + 0x1.11104ep-7f;
  p = p * z - 0x1.555554p-3f;
  return as_float(as_int(r * z * p + r) ^ half_turns << 31);
}
OVERLOADABLE float native_sin(float x) {
  Nearest n = nearestProduct(x, M_1_PI_F);
  return sineAfterHalfTurns(withoutHalfTurns(x, n.value), n.bits);
}
// cos(x) = sin(x + pi/2): half turns are counted with an offset of one half.
OVERLOADABLE float native_cos(float x) {
  Nearest n = nearest(x * M_1_PI_F - 0.5f);
  return sineAfterHalfTurns(withoutHalfTurns(x, n.value + 0.5f), n.bits + 1);
}

// Newton's step y + y * error for an estimate y. It is left out where the error is not small, because x is zero,
// infinite or denormal.
INLINE float refine(float y, float error) { return absolute(error) < 0.5f ? error * y + y : y; }

// 1 / x to 22 bits.
OVERLOADABLE float native_recip(float x) {
  float y = __lanecl_rough_reciprocal(x);
  return refine(y, 1.0f - x * y);
}
OVERLOADABLE float native_divide(float x, float y) { return x * native_recip(y); }
OVERLOADABLE float native_tan(float x) {
  Nearest n = nearestProduct(x, M_2_PI_F);
  float r = x - n.value * 0x1.92p+0f;
  r = r - n.value * 0x1.fb4p-12f;
  r = r - n.value * 0x1.4442d2p-24f;
  float z = r * r;
  float p = 0x1.24c07ap-6f;
  p = p * z + 0x1.0a5e0ap-6f;
  p = p * z + 0x1.c4f6bep-5f;
  p = p * z + 0x1.10d97cp-3f;
  p = p * z + 0x1.5555aep-2f;
  float t = r * z * p + r;
  return n.bits & 1 ? -reciprocal(t) : t;
}
OVERLOADABLE float native_rsqrt(float x) {
#pragma clang fp reciprocal(on)
  return 1.0f / __builtin_sqrtf(x);
}

// Returns 1 / sqrt(x) as a factor that makes sqrt(x) of x. For zero the factor is zero. Without AVX-512 denormal
// numbers count as zero.
INLINE float factorOfRoot(float x) {
  bool is_zero = __lanecl_has_lane_instructions() ? x == 0.0f : absolute(x) < 0x1p-126f;
  return is_zero ? 0.0f : __lanecl_rough_reciprocal_root(x);
}
OVERLOADABLE float native_sqrt(float x) {
  float y = factorOfRoot(x), root = x * y;
  return x == INFINITY ? x : (x - root * root) * (0.5f * y) + root;
}
// The result is undefined for negative x, but programs use the function to square negative numbers.
OVERLOADABLE float native_powr(float x, float y) { return native_exp2(y * native_log2(absolute(x))); }

// A half_ function of an angle larger than 2^16 may return any value from -1 to 1. The angle is replaced by zero, and
// an infinite angle by NaN.
INLINE float reducibleAngle(float x) { return absolute(x) <= 0x1p16f ? x : x * 0.0f; }
OVERLOADABLE float half_sin(float x) { return native_sin(reducibleAngle(x)); }
OVERLOADABLE float half_cos(float x) { return native_cos(reducibleAngle(x)); }
OVERLOADABLE float half_tan(float x) { return native_tan(reducibleAngle(x)); }

// The exponent multiplies the error of the logarithm, so this logarithm has the full precision of float.
OVERLOADABLE float half_powr(float x, float y) { return native_exp2(y * log2(x)); }
// The arguments are scaled, because the reciprocal of a large divisor may be denormal, and that of a denormal one
// infinite.
OVERLOADABLE float half_divide(float x, float y) {
  if (!__lanecl_has_lane_instructions())
    return x / y;
  float magnitude = absolute(y), factor = magnitude > 0x1p64f ? 0x1p-64f : magnitude < 0x1p-64f ? 0x1p64f : 1.0f;
  return x * factor * __lanecl_rough_reciprocal(y * factor);
}

// The estimates have 14 bits on AVX-512, and 11 elsewhere.
OVERLOADABLE float half_recip(float x) { return __lanecl_rough_reciprocal(x); }
OVERLOADABLE float half_rsqrt(float x) { return __lanecl_rough_reciprocal_root(x); }
OVERLOADABLE float half_sqrt(float x) { return x == INFINITY ? x : x * factorOfRoot(x); }

#define HALF_PRECISION(name)                                                                                           \
  OVERLOADABLE float half_##name(float x) { return native_##name(x); }
HALF_PRECISION(exp)
HALF_PRECISION(exp2)
HALF_PRECISION(exp10)
HALF_PRECISION(log)
HALF_PRECISION(log2)
HALF_PRECISION(log10)

#define VECTORS(name) VECTORS_OF_UNARY(native_##name) VECTORS_OF_UNARY(half_##name)
VECTORS(cos)
VECTORS(sin)
VECTORS(tan)
VECTORS(exp)
VECTORS(exp2)
VECTORS(exp10)
VECTORS(log)
VECTORS(log2)
VECTORS(log10)
VECTORS(recip)
VECTORS(rsqrt)
VECTORS(sqrt)
VECTORS_OF_BINARY(native_divide, float)
VECTORS_OF_BINARY(native_powr, float)
VECTORS_OF_BINARY(half_divide, float)
VECTORS_OF_BINARY(half_powr, float)
