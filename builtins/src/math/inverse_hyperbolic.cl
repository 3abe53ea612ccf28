// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// asinh, acosh and atanh of float and double in terms of log1p, which is exact for small arguments.
#include "double_math.h"

INLINE OVERLOADABLE float over(float x, float y) { return x / y; }
INLINE OVERLOADABLE double over(double x, double y) { return quotient(x, y); }
INLINE OVERLOADABLE float root(float x) { return __builtin_sqrtf(x); }
INLINE OVERLOADABLE double root(double x) { return moderateRoot(x); }

// From `large` on, asinh and acosh are the logarithm of twice the argument.
#define INVERSES(T, large, log_of_2)                                                                                   \
  OVERLOADABLE T asinh(T x) {                                                                                          \
    T magnitude = fabs(x), square = magnitude * magnitude;                                                             \
    bool is_large = magnitude >= large;                                                                                \
    T argument = magnitude + (is_large ? -(T)1 : over(square, (T)1 + root((T)1 + square)));                               \
    return copysign(log1p(argument) + (is_large ? log_of_2 : (T)0), x);                                                \
  }                                                                                                                    \
  OVERLOADABLE T acosh(T x) {                                                                                          \
    T beyond = x - (T)1;                                                                                               \
    bool is_large = x >= large;                                                                                        \
    T argument = beyond + (is_large || x == (T)1 ? (T)0 : root(beyond * ((T)2 + beyond)));                                          \
    T result = log1p(argument) + (is_large ? log_of_2 : (T)0);                                                         \
    return x >= (T)1 ? result : (T)NAN;                                                                                \
  }                                                                                                                    \
  OVERLOADABLE T atanh(T x) {                                                                                          \
    T magnitude = fabs(x);                                                                                             \
    return copysign((T)0.5f * log1p(((T)2 * magnitude) / ((T)1 - magnitude)), x);                                      \
  }                                                                                                                    \
  UNARY_VECTORS(asinh, T)                                                                                              \
  UNARY_VECTORS(acosh, T)                                                                                              \
  UNARY_VECTORS(atanh, T)
INVERSES(float, 0x1p14f, M_LN2_F)
INVERSES(double, 0x1p30, M_LN2)
