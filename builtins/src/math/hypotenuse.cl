// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// hypot of float and double. It is the root of the sum of squares if the sum neither overflows nor loses bits to
// underflow, and is computed from scaled arguments otherwise.
#include "double_math.h"

// `low` and `high` bound the sums that lose no bits. `enlarge` and `shrink`, powers of two, scale the arguments into
// this range.
#define HYPOTENUSE(T, root, low, high, enlarge, shrink)                                                                      \
  static OVERLOADABLE T hypotScaled(T x, T y) {                                                                        \
    T scale = x > (T)1 || y > (T)1 ? shrink : enlarge, a = x * scale, b = y * scale;                                   \
    T result = sqrt(a * a + b * b) / scale;                                                                            \
    return x == (T)INFINITY || y == (T)INFINITY ? (T)INFINITY : result;                                                \
  }                                                                                                                    \
  OVERLOADABLE T hypot(T x, T y) {                                                                                     \
    T sum = x * x + y * y, result = root(sum);                                                                 \
    if (!(sum > low && sum < high))                                                                                    \
      result = hypotScaled(fabs(x), fabs(y));                                                                          \
    return result;                                                                                                     \
  }                                                                                                                    \
  BINARY_VECTORS(hypot, T, T)
// The processor computes the root of a float as fast as moderateRoot() would.
HYPOTENUSE(float, __builtin_sqrtf, 0x1p-90f, 0x1p126f, 0x1p90f, 0x1p-66f)
HYPOTENUSE(double, moderateRoot, 0x1p-900, 0x1p1022, 0x1p700, 0x1p-520)
