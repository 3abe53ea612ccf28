// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// fmod, remainder and remquo of float and double. A quotient rounded to an integer is off by at most 1, and the
// remainder for it is exact. Larger quotients are first reduced by multiples of the divisor.
#include "lane_instructions.h"
#include "vector_forms.h"

// T is the type and I the integer of its size. A quotient with at most `near_bits` bits is exact to 1.
#define REMAINDERS(T, I, near_bits)                                                                                    \
  /* Returns x modulo y for x >= 0, y > 0 and x / y < 2^near_bits. */                                                  \
  INLINE OVERLOADABLE T nearModulo(T x, T y) {                                                                         \
    T rest = __builtin_elementwise_fma(-__builtin_elementwise_trunc(x / y), y, x);                                     \
    return rest < (T)0 ? rest + y : rest;                                                                              \
  }                                                                                                                    \
  INLINE OVERLOADABLE T modulo(T x, T y) {                                                                             \
    while (x >= y) {                                                                                                   \
      int far = (int)__lanecl_exponent(x) - (int)__lanecl_exponent(y) - (near_bits - 2);                               \
      x = nearModulo(x, far > 0 ? ldexp(y, far) : y);                                                                  \
    }                                                                                                                  \
    return x;                                                                                                          \
  }                                                                                                                    \
  INLINE OVERLOADABLE bool isDefined(T x, T y) { return fabs(x) < (T)INFINITY && fabs(y) > (T)0; }                     \
  /* An argument for which the result is NaN is kept from the loop, which would not end. */                            \
  INLINE OVERLOADABLE T farModulo(T x, T y, T multiple) {                                                              \
    T rest = isDefined(x, y) && fabs(y) < (T)INFINITY ? modulo(fabs(x), fabs(y) * multiple) : fabs(x);                 \
    return isDefined(x, y) ? rest : (T)NAN;                                                                            \
  }                                                                                                                    \
  OVERLOADABLE T fmod(T x, T y) {                                                                                      \
    T rest = nearModulo(fabs(x), fabs(y));                                                                             \
    if (!(fabs(x) / fabs(y) < (T)(1ul << near_bits) && fabs(y) < (T)INFINITY))                                         \
      rest = farModulo(x, y, (T)1);                                                                                    \
    return copysign(rest, x);                                                                                          \
  }                                                                                                                    \
  /* The quotient modulo 128 is that of the remainder of a division by 128 y. */                                       \
  OVERLOADABLE T remquo(T x, T y, __private int *quotient) {                                                           \
    T dividend = fabs(x), divisor = fabs(y), q = dividend / divisor;                                                   \
    if (!(q < (T)0x400000 && divisor < (T)INFINITY)) {                                                                 \
      dividend = farModulo(x, y, (T)128);                                                                              \
      q = dividend == dividend ? dividend / divisor : (T)0;                                                            \
    }                                                                                                                  \
    q = __builtin_elementwise_rint(q);                                                                                 \
    T rest = divisor < (T)INFINITY ? __builtin_elementwise_fma(-q, divisor, dividend) : dividend;                      \
    T magnitude = fabs(rest), step = magnitude > divisor - magnitude ? copysign((T)1, rest) : (T)0;                    \
    rest -= step * (divisor < (T)INFINITY ? divisor : (T)0);                                                           \
    int bits = (int)(q + step) & 127;                                                                                  \
    *quotient = (as_##I(x) ^ as_##I(y)) < 0 ? -bits : bits;                                                            \
    T result = as_##T(as_##I(rest) ^ as_##I(copysign((T)0, x)));                                                       \
    return rest == (T)0 ? copysign((T)0, x) : result;                                                                  \
  }                                                                                                                    \
  OVERLOADABLE T remainder(T x, T y) {                                                                                 \
    int quotient;                                                                                                      \
    return remquo(x, y, &quotient);                                                                                    \
  }                                                                                                                    \
  BINARY_VECTORS(fmod, T, T)                                                                                           \
  BINARY_VECTORS(remainder, T, T)
REMAINDERS(float, int, 22)
REMAINDERS(double, long, 50)

// Defines remquo of vectors by remquo of their halves, each of which has h components.
#define VECTOR_REMQUO(T, n, h)                                                                                         \
  OVERLOADABLE T##n remquo(T##n x, T##n y, __private int##n *quotient) {                                               \
    int##h low_bits, high_bits;                                                                                        \
    T##h low = remquo(x.lo, y.lo, &low_bits), high = remquo(x.hi, y.hi, &high_bits);                                   \
    *quotient = (int##n)(low_bits, high_bits);                                                                         \
    return (T##n)(low, high);                                                                                          \
  }
#define VECTORS_OF_REMQUO(T)                                                                                           \
  VECTOR_REMQUO(T, 2, )                                                                                                \
  VECTOR_REMQUO(T, 4, 2)                                                                                               \
  VECTOR_REMQUO(T, 8, 4)                                                                                               \
  VECTOR_REMQUO(T, 16, 8)                                                                                              \
  OVERLOADABLE T##3 remquo(T##3 x, T##3 y, __private int3 *quotient) {                                                 \
    int4 bits;                                                                                                         \
    T##4 result = remquo((T##4)(x, (T)0), (T##4)(y, (T)1), &bits);                                                     \
    *quotient = bits.xyz;                                                                                              \
    return result.xyz;                                                                                                 \
  }
VECTORS_OF_REMQUO(float)
VECTORS_OF_REMQUO(double)
