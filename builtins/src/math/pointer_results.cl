// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that store a second result through a pointer, for the address spaces and types that libclc lacks. For every
// space the result goes through a private variable, which becomes a register.
#include "half_types.h"

// Defines a function with one argument x. R is the type of the second result.
#define THROUGH_POINTER(AS, T, R, f)                                                                                   \
  OVERLOADABLE T f(T x, AS R *second) {                                                                                \
    __private R value;                                                                                                 \
    T result = f(x, &value);                                                                                           \
    *second = value;                                                                                                   \
    return result;                                                                                                     \
  }
#define REMQUO_THROUGH_POINTER(AS, T, R)                                                                               \
  OVERLOADABLE T remquo(T x, T y, AS R *quotient) {                                                                    \
    __private R value;                                                                                                 \
    T result = remquo(x, y, &value);                                                                                   \
    *quotient = value;                                                                                                 \
    return result;                                                                                                     \
  }
// Defines all functions for one address space AS and one type.
#define SPACE(AS, T, n)                                                                                                \
  THROUGH_POINTER(AS, T##n, T##n, fract)                                                                               \
  THROUGH_POINTER(AS, T##n, T##n, modf)                                                                                \
  THROUGH_POINTER(AS, T##n, T##n, sincos)                                                                              \
  THROUGH_POINTER(AS, T##n, int##n, frexp)                                                                             \
  THROUGH_POINTER(AS, T##n, int##n, lgamma_r)                                                                          \
  REMQUO_THROUGH_POINTER(AS, T##n, int##n)

// The compiler must see the private forms first, because the header of OpenCL C 3.0 declares only the generic ones.
#define DECLARE_PRIVATE(T, n)                                                                                          \
  OVERLOADABLE T##n fract(T##n x, __private T##n *second);                                                             \
  OVERLOADABLE T##n modf(T##n x, __private T##n *second);                                                              \
  OVERLOADABLE T##n sincos(T##n x, __private T##n *second);                                                            \
  OVERLOADABLE T##n frexp(T##n x, __private int##n *second);                                                           \
  OVERLOADABLE T##n lgamma_r(T##n x, __private int##n *second);                                                        \
  OVERLOADABLE T##n remquo(T##n x, T##n y, __private int##n *quotient);

// Defines the private forms for half, for which libclc has none.
#define PRIVATE_HALF(T, n)                                                                                             \
  OVERLOADABLE T##n fract(T##n x, __private T##n *whole) {                                                             \
    *whole = floor(x);                                                                                                 \
    T##n difference = min(x - *whole, (T##n)0x1.ffcp-1h);                                                              \
    return select(select(difference, copysign((T##n)0.0h, x), (short##n)(x == *whole)), x, (short##n)(x != x));        \
  }                                                                                                                    \
  OVERLOADABLE T##n modf(T##n x, __private T##n *whole) {                                                              \
    *whole = trunc(x);                                                                                                 \
    T##n difference = select(x - *whole, (T##n)0.0h, (short##n)(x == *whole));                                         \
    return copysign(difference, x);                                                                                    \
  }                                                                                                                    \
  OVERLOADABLE T##n sincos(T##n x, __private T##n *cosine) {                                                           \
    *cosine = cos(x);                                                                                                  \
    return sin(x);                                                                                                     \
  }                                                                                                                    \
  OVERLOADABLE T##n frexp(T##n x, __private int##n *exponent) { return narrow(frexp(widen(x), exponent)); }            \
  OVERLOADABLE T##n lgamma_r(T##n x, __private int##n *sign) { return narrow(lgamma_r(widen(x), sign)); }              \
  OVERLOADABLE T##n remquo(T##n x, T##n y, __private int##n *quotient) {                                               \
    return narrow(remquo(widen(x), widen(y), quotient));                                                               \
  }

#define FOR_EACH_TYPE_N(M, T) M(T, ) M(T, 2) M(T, 3) M(T, 4) M(T, 8) M(T, 16)
FOR_EACH_TYPE_N(DECLARE_PRIVATE, float)
FOR_EACH_TYPE_N(DECLARE_PRIVATE, double)
FOR_EACH_TYPE_N(PRIVATE_HALF, half)

#define OTHER_SPACES(T, n) SPACE(__global, T, n) SPACE(__local, T, n) SPACE(__generic, T, n)
FOR_EACH_TYPE_N(OTHER_SPACES, half)
FOR_EACH_TYPE_N(OTHER_SPACES, float)
FOR_EACH_TYPE_N(OTHER_SPACES, double)
