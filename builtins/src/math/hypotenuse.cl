// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// hypot of float and double: the root of the sum of squares where that neither overflows nor is denormal, else of
// scaled arguments.
#include "vector_forms.h"

// `low` and `high` bound the sums whose parts lose nothing; scaling by the powers of two brings others into them.
#define HYPOTENUSE(T, low, high, enlarge, shrink)                                                                      \
  static OVERLOADABLE T hypotScaled(T x, T y) {                                                                        \
    T scale = x > (T)1 || y > (T)1 ? shrink : enlarge, a = x * scale, b = y * scale;                                   \
    T result = sqrt(a * a + b * b) / scale;                                                                            \
    return x == (T)INFINITY || y == (T)INFINITY ? (T)INFINITY : result;                                                \
  }                                                                                                                    \
  OVERLOADABLE T hypot(T x, T y) {                                                                                     \
    T sum = x * x + y * y, result = sqrt(sum);                                                                         \
    if (!(sum > low && sum < high))                                                                                    \
      result = hypotScaled(fabs(x), fabs(y));                                                                          \
    return result;                                                                                                     \
  }                                                                                                                    \
  BINARY_VECTORS(hypot, T, T)
HYPOTENUSE(float, 0x1p-90f, 0x1p126f, 0x1p90f, 0x1p-66f)
HYPOTENUSE(double, 0x1p-900, 0x1p1022, 0x1p700, 0x1p-520)
