// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of vectorizer/contract/relaxed_functions.def. Their errors are within the specification's table for
// -cl-unsafe-math-optimizations (OpenCL C, "Relative Error as ULPs"). Signs of zeros are not kept, and without AVX-512
// neither are denormal numbers.
#include "float_math.h"
#include "power_cases.h"

POWER_CASES(float, as_int)

// Returns 2^r for 0 <= r <= 1 with a relative error of 2^-23.
INLINE float exp2Relaxed(float r) {
  float p = 0x1.e9683ap-10f;
  p = p * r + 0x1.277c46p-7f;
  p = p * r + 0x1.c91c0cp-5f;
  p = p * r + 0x1.ebdb6ap-3f;
  p = p * r + 0x1.62e4bap-1f;
  return p * r + 1.0f;
}

// The bound for exp and exp2, 3 + 2 |x| ulp, covers the rounding of the product with log2(e).
OVERLOADABLE float __lanecl_relaxed_exp2(float x) {
  if (__lanecl_has_lane_instructions())
    return __lanecl_scale(exp2Relaxed(__lanecl_floor_rest(x)), x, 0);
  NormalPower two = normalPower(x);
  return exp2Relaxed(two.rest) * two.power;
}
OVERLOADABLE float __lanecl_relaxed_exp(float x) { return __lanecl_relaxed_exp2(x * M_LOG2E_F); }
OVERLOADABLE float __lanecl_relaxed_exp10(float x) { return __lanecl_relaxed_exp2(x * 0x1.a934fp+1f); }

// The bounds are 2^-21 for x in [1/2, 2], and 3 ulp elsewhere, where the results are at least log(2). The error of the
// polynomial, for mantissas from 3/4 to 3/2, is 2^-24.
OVERLOADABLE float __lanecl_relaxed_log2(float x) {
  Split s = splitNormal(x);
  float f = s.mantissa - 1.0f;
  float p = -0x1.75125ap-4f;
  p = p * f + 0x1.9c866cp-3f;
  p = p * f - 0x1.01f5c4p-2f;
  p = p * f + 0x1.29c062p-2f;
  p = p * f - 0x1.70e84cp-2f;
  p = p * f + 0x1.ec57eep-2f;
  p = p * f - 0x1.715512p-1f;
  p = p * f + 0x1.715484p+0f;
  return p * f + s.exponent;
}
OVERLOADABLE float __lanecl_relaxed_log(float x) { return __lanecl_relaxed_log2(x) * M_LN2_F; }
OVERLOADABLE float __lanecl_relaxed_log10(float x) { return __lanecl_relaxed_log2(x) * 0x1.344136p-2f; }

// Computes the power by the derivation that the specification gives. For infinite x the result is right as well, unless
// it is NaN.
OVERLOADABLE float __lanecl_relaxed_pow(float x, float y) {
  float result = __lanecl_relaxed_exp2(y * __lanecl_relaxed_log2(absolute(x)));
  if (as_int(x) <= 0 || result != result)
    result = x == 1.0f ? 1.0f : powSpecial(x, y, result);
  return result;
}
OVERLOADABLE float __lanecl_relaxed_powr(float x, float y) {
  return __lanecl_relaxed_exp2(y * __lanecl_relaxed_log2(x));
}

// The bound for sin and cos is 2^-11 for |x| <= pi, and that for tan is 8192 ulp. Large angles are reduced exactly.
#define RELAXED_ANGLE(f)                                                                                               \
  OVERLOADABLE float __lanecl_relaxed_##f(float x) {                                                                   \
    float result = native_##f(x);                                                                                      \
    if (!(absolute(x) <= 0x1p16f))                                                                                     \
      result = f(x);                                                                                                   \
    return result;                                                                                                     \
  }
RELAXED_ANGLE(sin)
RELAXED_ANGLE(cos)
RELAXED_ANGLE(tan)

VECTORS_OF_UNARY(__lanecl_relaxed_exp)
VECTORS_OF_UNARY(__lanecl_relaxed_exp2)
VECTORS_OF_UNARY(__lanecl_relaxed_exp10)
VECTORS_OF_UNARY(__lanecl_relaxed_log)
VECTORS_OF_UNARY(__lanecl_relaxed_log2)
VECTORS_OF_UNARY(__lanecl_relaxed_log10)
VECTORS_OF_UNARY(__lanecl_relaxed_sin)
VECTORS_OF_UNARY(__lanecl_relaxed_cos)
VECTORS_OF_UNARY(__lanecl_relaxed_tan)
VECTORS_OF_BINARY(__lanecl_relaxed_pow, float)
VECTORS_OF_BINARY(__lanecl_relaxed_powr, float)

#define SINCOS_TO(AS, T)                                                                                               \
  OVERLOADABLE T __lanecl_relaxed_sincos(T x, AS T *cosine) {                                                          \
    *cosine = __lanecl_relaxed_cos(x);                                                                                 \
    return __lanecl_relaxed_sin(x);                                                                                    \
  }
#define SINCOS(T) SINCOS_TO(__private, T) SINCOS_TO(__global, T) SINCOS_TO(__local, T) SINCOS_TO(__generic, T)
FOR_WIDTHS(SINCOS, float)
