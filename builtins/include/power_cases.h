// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Special cases and small exponents, which powers of float and of double have in common. T is the type and needs
// absolute(); as_bits is as_int or as_long.
#pragma once

#define POWER_CASES(T, as_bits)                                                                                        \
  INLINE bool isInteger(T x) { return __builtin_elementwise_trunc(x) == x; }                                           \
  INLINE bool isOdd(T x) { return isInteger(x) && !isInteger((T)0.5f * x); }                                           \
  INLINE bool isNegative(T x) { return as_bits(x) < 0; }                                                               \
  /* Returns x^y for x = 0 or infinity. `grows`: whether y is positive. */                                             \
  INLINE T powerOfExtreme(T x, bool grows) { return (x == (T)0) == grows ? (T)0 : (T)INFINITY; }                       \
  /* Returns x^y with all special cases. `finite` is |x|^y where |x| is neither 0 nor infinity. */                     \
  INLINE T powSpecial(T x, T y, T finite) {                                                                            \
    T magnitude = absolute(x);                                                                                         \
    T result = magnitude == (T)0 || magnitude == (T)INFINITY ? powerOfExtreme(magnitude, y > (T)0) : finite;           \
    result = magnitude == (T)1 && absolute(y) == (T)INFINITY ? (T)1 : result;                                          \
    result = isNegative(x) && isOdd(y) ? -result : result;                                                             \
    result = x < (T)0 && magnitude < (T)INFINITY && !isInteger(y) ? (T)NAN : result;                                   \
    result = x != x || y != y ? (T)NAN : result;                                                                       \
    return y == (T)0 ? (T)1 : result;                                                                                  \
  }

// Returns x^n for |n| <= 8 as products. Each rounding, of the reciprocal and of seven products, adds at most one ulp.
#define SMALL_POWER(T)                                                                                                 \
  INLINE T smallPower(T x, int n) {                                                                                    \
    T base = n < 0 ? (T)1 / x : x, result = n & 1 ? base : (T)1;                                                       \
    int rest = n < 0 ? -n : n;                                                                                         \
    base *= base;                                                                                                      \
    result = rest & 2 ? result * base : result;                                                                        \
    base *= base;                                                                                                      \
    result = rest & 4 ? result * base : result;                                                                        \
    return rest & 8 ? base * base : result;                                                                            \
  }
