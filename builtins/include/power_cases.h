// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What powers of float and of double have in common: special cases, and small exponents. T needs absolute(), as_bits is
// as_int or as_long.
#pragma once

#define POWER_CASES(T, as_bits)                                                                                        \
  INLINE bool isInteger(T x) { return __builtin_elementwise_trunc(x) == x; }                                           \
  INLINE bool isOdd(T x) { return isInteger(x) && !isInteger((T)0.5f * x); }                                           \
  INLINE bool isNegative(T x) { return as_bits(x) < 0; }                                                               \
  /* The power of zero or infinity, where the magnitude's exponent is positive or negative. */                         \
  INLINE T powerOfExtreme(T x, bool grows) { return (x == (T)0) == grows ? (T)0 : (T)INFINITY; }                       \
  /* With a magnitude of 0 or infinity, or a negative x; `finite` is |x|^y where that is neither. */                   \
  INLINE T powSpecial(T x, T y, T finite) {                                                                            \
    T magnitude = absolute(x);                                                                                         \
    T result = magnitude == (T)0 || magnitude == (T)INFINITY ? powerOfExtreme(magnitude, y > (T)0) : finite;           \
    result = magnitude == (T)1 && absolute(y) == (T)INFINITY ? (T)1 : result;                                          \
    result = isNegative(x) && isOdd(y) ? -result : result;                                                             \
    result = x < (T)0 && magnitude < (T)INFINITY && !isInteger(y) ? (T)NAN : result;                                   \
    result = x != x || y != y ? (T)NAN : result;                                                                       \
    return y == (T)0 ? (T)1 : result;                                                                                  \
  }

// Products, for |n| <= 8: each rounding, of the reciprocal and of seven products, adds at most one unit.
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
