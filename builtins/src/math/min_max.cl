// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Minimum and maximum of floating-point numbers.
// - min and max need not handle NaN. They are a comparison and a select, which make one instruction.
// - fmin and fmax return the other argument when one is NaN. It is unspecified which of two zeros they return.
// - clamp is defined by fmin and fmax, so a NaN becomes the lower limit. With constant limits each is one instruction.
#include "types.h"

#define MIN_MAX(T)                                                                                                     \
  OVERLOADABLE T fmin(T x, T y) { return __builtin_elementwise_min(x, y); }                                            \
  OVERLOADABLE T fmax(T x, T y) { return __builtin_elementwise_max(x, y); }                                            \
  OVERLOADABLE T min(T x, T y) { return y < x ? y : x; }                                                               \
  OVERLOADABLE T max(T x, T y) { return x < y ? y : x; }                                                               \
  OVERLOADABLE T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                                        \
  OVERLOADABLE T maxmag(T x, T y) {                                                                                    \
    T a = fabs(x), b = fabs(y), other = a < b ? y : fmax(x, y);                                                        \
    return a > b ? x : other;                                                                                          \
  }                                                                                                                    \
  OVERLOADABLE T minmag(T x, T y) {                                                                                    \
    T a = fabs(x), b = fabs(y), other = b < a ? y : fmin(x, y);                                                        \
    return a < b ? x : other;                                                                                          \
  }
FOR_WIDTHS(MIN_MAX, float)
FOR_WIDTHS(MIN_MAX, double)

#define BY_SCALAR(T, n)                                                                                                \
  OVERLOADABLE T##n fmin(T##n x, T y) { return fmin(x, (T##n)y); }                                                     \
  OVERLOADABLE T##n fmax(T##n x, T y) { return fmax(x, (T##n)y); }                                                     \
  OVERLOADABLE T##n min(T##n x, T y) { return min(x, (T##n)y); }                                                       \
  OVERLOADABLE T##n max(T##n x, T y) { return max(x, (T##n)y); }                                                       \
  OVERLOADABLE T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }
#define BY_SCALARS(T) BY_SCALAR(T, 2) BY_SCALAR(T, 3) BY_SCALAR(T, 4) BY_SCALAR(T, 8) BY_SCALAR(T, 16)
BY_SCALARS(float)
BY_SCALARS(double)
