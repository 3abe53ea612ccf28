// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// rsqrt of float and double: where the processor has an estimate, Newton's steps from it, else the root and a quotient.
#include "lane_instructions.h"
#include "vector_forms.h"

// The error is not small where x is zero or infinite; there the estimate is exact.
OVERLOADABLE float rsqrt(float x) {
  if (!__lanecl_has_lane_instructions())
    return 1.0f / __builtin_sqrtf(x);
  float y = __lanecl_reciprocal_root_estimate(x), error = __builtin_fmaf(-x * y, y, 1.0f);
  return error > -0.5f ? 0.5f * y * error + y : y;
}

// The second term of the series makes the error 2^-40 of the first step's.
OVERLOADABLE double rsqrt(double x) {
  if (!__lanecl_has_lane_instructions())
    return 1.0 / __builtin_sqrt(x);
  double y = __lanecl_reciprocal_root_estimate(x), error = __builtin_fma(-x * y, y, 1.0);
  double z = (0.375 * error + 0.5) * error * y + y, rest = __builtin_fma(-x * z, z, 1.0);
  return error > -0.5 ? 0.5 * z * rest + z : y;
}

UNARY_VECTORS(rsqrt, float)
UNARY_VECTORS(rsqrt, double)
