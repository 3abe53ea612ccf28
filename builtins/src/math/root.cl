// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// rsqrt of float and double. If the processor has an estimate, it is refined by Newton's steps; otherwise the root and
// the quotient are computed.
#include "lane_instructions.h"
#include "vector_forms.h"

// Newton's step is left out where the error is not small, because x is zero or infinite. There the estimate is exact.
OVERLOADABLE float rsqrt(float x) {
  if (!__lanecl_has_lane_instructions())
    return 1.0f / __builtin_sqrtf(x);
  float y = __lanecl_reciprocal_root_estimate(x), error = __builtin_fmaf(-x * y, y, 1.0f);
  return error > -0.5f ? 0.5f * y * error + y : y;
}

// Adds the series of the exact root up to the fourth power of the error, which is 2^-13.
OVERLOADABLE double rsqrt(double x) {
  if (!__lanecl_has_lane_instructions())
    return 1.0 / __builtin_sqrt(x);
  double y = __lanecl_reciprocal_root_estimate(x), error = __builtin_fma(-x * y, y, 1.0);
  double series = ((0.2734375 * error + 0.3125) * error + 0.375) * error + 0.5;
  return error > -0.5 ? series * error * y + y : y;
}

UNARY_VECTORS(rsqrt, float)
UNARY_VECTORS(rsqrt, double)
