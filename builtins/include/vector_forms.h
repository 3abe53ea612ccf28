// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Defines vector forms that apply the scalar function to each component. The vectorizer keeps each component in
// registers of its own anyway.
#pragma once

#include "types.h"

// a * b + c becomes one fused operation where the processor has one. Code that needs the exact fused result calls
// __builtin_fma.
#pragma clang fp contract(on)

#define INLINE static inline __attribute__((always_inline))

// Defines the vector forms of a function of one argument, by way of the halves of the vector.
#define UNARY_VECTORS(f, T)                                                                                            \
  OVERLOADABLE T##2 f(T##2 x) {                                                                                        \
    return (T##2)(f(x.x), f(x.y));                                                                                     \
  }                                                                                                                    \
  OVERLOADABLE T##3 f(T##3 x) {                                                                                        \
    return (T##3)(f(x.x), f(x.y), f(x.z));                                                                             \
  }                                                                                                                    \
  OVERLOADABLE T##4 f(T##4 x) {                                                                                        \
    return (T##4)(f(x.lo), f(x.hi));                                                                                   \
  }                                                                                                                    \
  OVERLOADABLE T##8 f(T##8 x) {                                                                                        \
    return (T##8)(f(x.lo), f(x.hi));                                                                                   \
  }                                                                                                                    \
  OVERLOADABLE T##16 f(T##16 x) {                                                                                      \
    return (T##16)(f(x.lo), f(x.hi));                                                                                  \
  }

// Defines the vector forms of a function of two arguments.
#define BINARY_VECTORS(f, T, U)                                                                                        \
  OVERLOADABLE T##2 f(T##2 x, U##2 y) {                                                                                \
    return (T##2)(f(x.x, y.x), f(x.y, y.y));                                                                           \
  }                                                                                                                    \
  OVERLOADABLE T##3 f(T##3 x, U##3 y) {                                                                                \
    return (T##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z));                                                              \
  }                                                                                                                    \
  OVERLOADABLE T##4 f(T##4 x, U##4 y) {                                                                                \
    return (T##4)(f(x.lo, y.lo), f(x.hi, y.hi));                                                                       \
  }                                                                                                                    \
  OVERLOADABLE T##8 f(T##8 x, U##8 y) {                                                                                \
    return (T##8)(f(x.lo, y.lo), f(x.hi, y.hi));                                                                       \
  }                                                                                                                    \
  OVERLOADABLE T##16 f(T##16 x, U##16 y) {                                                                             \
    return (T##16)(f(x.lo, y.lo), f(x.hi, y.hi));                                                                      \
  }

// Define sincos for vectors by sincos of their halves.
#define SINCOS_OF_HALVES(T, n, half)                                                                                   \
  OVERLOADABLE T##n sincos(T##n x, __private T##n *cosine) {                                                           \
    T##half low, high;                                                                                                 \
    const T##n sine = (T##n)(sincos(x.lo, &low), sincos(x.hi, &high));                                                 \
    *cosine = (T##n)(low, high);                                                                                       \
    return sine;                                                                                                       \
  }
#define SINCOS_VECTORS(T)                                                                                              \
  SINCOS_OF_HALVES(T, 2, )                                                                                             \
  OVERLOADABLE T##3 sincos(T##3 x, __private T##3 * cosine) {                                                          \
    T##2 low;                                                                                                          \
    T high;                                                                                                            \
    const T##3 sine = (T##3)(sincos(x.xy, &low), sincos(x.z, &high));                                                  \
    *cosine = (T##3)(low, high);                                                                                       \
    return sine;                                                                                                       \
  }                                                                                                                    \
  SINCOS_OF_HALVES(T, 4, 2)                                                                                            \
  SINCOS_OF_HALVES(T, 8, 4)                                                                                            \
  SINCOS_OF_HALVES(T, 16, 8)
