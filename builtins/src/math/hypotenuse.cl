// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// hypot of float and double: the root of the sum of squares where that neither overflows nor is denormal, else of
// scaled arguments.
#include "lane_instructions.h"
#include "vector_forms.h"

// The root of a number between those bounds, error 1 ulp: by way of its reciprocal where that has an instruction. A
// float's own root is as fast.
INLINE OVERLOADABLE float moderateRoot(float x) { return __builtin_sqrtf(x); }
INLINE OVERLOADABLE double moderateRoot(double x) {
  if (!__lanecl_has_lane_instructions())
    return __builtin_sqrt(x);
  double y = rsqrt(x), root = x * y;
  return __builtin_fma(-root, root, x) * (0.5 * y) + root;
}

// `low` and `high` bound the sums whose parts lose nothing; scaling by the powers of two brings others into them.
#define HYPOTENUSE(T, low, high, enlarge, shrink)                                                                      \
  static OVERLOADABLE T hypotScaled(T x, T y) {                                                                        \
    T scale = x > (T)1 || y > (T)1 ? shrink : enlarge, a = x * scale, b = y * scale;                                   \
    T result = sqrt(a * a + b * b) / scale;                                                                            \
    return x == (T)INFINITY || y == (T)INFINITY ? (T)INFINITY : result;                                                \
  }                                                                                                                    \
  OVERLOADABLE T hypot(T x, T y) {                                                                                     \
    T sum = x * x + y * y, result = moderateRoot(sum);                                                                 \
    if (!(sum > low && sum < high))                                                                                    \
      result = hypotScaled(fabs(x), fabs(y));                                                                          \
    return result;                                                                                                     \
  }                                                                                                                    \
  BINARY_VECTORS(hypot, T, T)
HYPOTENUSE(float, 0x1p-90f, 0x1p126f, 0x1p90f, 0x1p-66f)
HYPOTENUSE(double, 0x1p-900, 0x1p1022, 0x1p700, 0x1p-520)
