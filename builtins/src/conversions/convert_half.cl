// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions between half and all other types.
#include "half_types.h"

// Conversions from half go through float, which is exact. Rounding to the nearest integer is done by adding a number so
// large that the sum has no room for a fraction.
//
// Work-around: rint(widen(x)) would be the same, but InstCombine narrows rint() of a widened half to half again. On
// processors with half arithmetic LLVM's X86 back end then truncates instead of rounding.
#define FROM_HALF_TO(T, n, mode)                                                                                       \
  OVERLOADABLE T##n convert_##T##n##mode(half##n x) { return convert_##T##n##mode(widen(x)); }
#define FROM_HALF_TO_NEAREST(T, n, saturation)                                                                         \
  OVERLOADABLE T##n convert_##T##n##saturation##_rte(half##n x) {                                                      \
    return convert_##T##n##saturation((widen(x) + 0x1.8p23f) - 0x1.8p23f);                                             \
  }
#define FROM_HALF_ROUNDINGS(T, n, saturation)                                                                          \
  FROM_HALF_TO(T, n, saturation)                                                                                       \
  FROM_HALF_TO(T, n, saturation##_rtz) FROM_HALF_TO(T, n, saturation##_rtp) FROM_HALF_TO(T, n, saturation##_rtn)
// Defines all conversions to an integer type T, for each number of components.
#define FROM_HALF_TO_INTEGER(T)                                                                                        \
  FROM_HALF_INTEGER_N(T, )                                                                                             \
  FROM_HALF_INTEGER_N(T, 2)                                                                                            \
  FROM_HALF_INTEGER_N(T, 3) FROM_HALF_INTEGER_N(T, 4) FROM_HALF_INTEGER_N(T, 8) FROM_HALF_INTEGER_N(T, 16)
#define FROM_HALF_INTEGER_N(T, n)                                                                                      \
  FROM_HALF_ROUNDINGS(T, n, )                                                                                          \
  FROM_HALF_ROUNDINGS(T, n, _sat) FROM_HALF_TO_NEAREST(T, n, ) FROM_HALF_TO_NEAREST(T, n, _sat)
FOR_INTEGERS(FROM_HALF_TO_INTEGER)
#define FROM_HALF_TO_FLOATS(n)                                                                                         \
  FROM_HALF_ROUNDINGS(float, n, )                                                                                      \
  FROM_HALF_ROUNDINGS(double, n, ) FROM_HALF_TO(float, n, _rte) FROM_HALF_TO(double, n, _rte)
FOR_EACH_N(FROM_HALF_TO_FLOATS)

// Conversions to half round to nearest, and then step back by one where that was the wrong direction. Among numbers of
// one sign the order of the bits is that of the magnitudes. A step never crosses zero, because a result of zero keeps
// its sign.
#define FROM_FLOAT(n)                                                                                                  \
  OVERLOADABLE half##n convert_half##n(float##n x) { return narrow(x); }                                               \
  OVERLOADABLE half##n convert_half##n##_rte(float##n x) { return narrow(x); }                                         \
  OVERLOADABLE half##n convert_half##n##_rtz(float##n x) {                                                             \
    half##n nearest = narrow(x);                                                                                       \
    short##n too_large = SHORTS(n, fabs(widen(nearest)) > fabs(x));                                                    \
    return as_half##n((short##n)(as_short##n(nearest) + too_large));                                                   \
  }                                                                                                                    \
  OVERLOADABLE half##n convert_half##n##_rtp(float##n x) {                                                             \
    half##n nearest = narrow(x);                                                                                       \
    short##n bits = as_short##n(nearest), too_small = SHORTS(n, widen(nearest) < x);                                   \
    return as_half##n((short##n)(bits + (too_small & ((short##n)(bits >> (short##n)15) | (short##n)1))));                                    \
  }                                                                                                                    \
  OVERLOADABLE half##n convert_half##n##_rtn(float##n x) { return -convert_half##n##_rtp(-x); }
// Returns shorts with all bits set where the comparison holds, and zeros elsewhere.
#define SHORTS(n, comparison) SHORTS_##n(n, comparison)
#define SHORTS_(n, comparison) ((short)-(comparison))
#define SHORTS_2(n, comparison) convert_short##n(comparison)
#define SHORTS_3 SHORTS_2
#define SHORTS_4 SHORTS_2
#define SHORTS_8 SHORTS_2
#define SHORTS_16 SHORTS_2
FOR_EACH_N(FROM_FLOAT)

// Rounds a double to odd in float. If bits are lost, the last bit of the result is 1 and records that, so that the
// following rounding to half is correct near every boundary.
#define ROUND_TO_ODD(n)                                                                                                \
  static inline OVERLOADABLE float##n roundToOdd(double##n x) {                                                        \
    float##n nearest = convert_float##n(x);                                                                            \
    double##n back = convert_double##n(nearest);                                                                       \
    int##n bits = as_int##n(nearest), even = (bits & 1) - 1;                                                           \
    int##n too_large = INTS(n, fabs(back) > fabs(x)), too_small = INTS(n, fabs(back) < fabs(x));                       \
    return as_float##n(bits + (even & (too_large - too_small)));                                                       \
  }
#define INTS(n, comparison) INTS_##n(n, comparison)
#define INTS_(n, comparison) (-(comparison))
#define INTS_2(n, comparison) convert_int##n(comparison)
#define INTS_3 INTS_2
#define INTS_4 INTS_2
#define INTS_8 INTS_2
#define INTS_16 INTS_2
FOR_EACH_N(ROUND_TO_ODD)

// Converts an integer to a float that rounds to the same half. Integers past 2^20 are as far out of half's range as
// 2^20 is, so they are limited to that. A float holds all integers up to 2^20 exactly.
#define INTEGER_TO_FLOAT(T, n)                                                                                         \
  static inline OVERLOADABLE float##n exactFloat(T##n x) { return convert_float##n(x); }
#define LARGE_INTEGER_TO_FLOAT(T, n)                                                                                   \
  static inline OVERLOADABLE float##n exactFloat(T##n x) {                                                             \
    return convert_float##n(clamp(x, (T##n)LOWEST_##T, (T##n)(1 << 20)));                                              \
  }
#define LOWEST_int -(1 << 20)
#define LOWEST_long -(1 << 20)
#define LOWEST_uint 0
#define LOWEST_ulong 0

// Defines conversions of T to half by way of a float, which `via` computes.
#define TO_HALF_ROUNDING(T, n, rounding, via)                                                                          \
  OVERLOADABLE half##n convert_half##n##rounding(T##n x) { return convert_half##n##rounding(via(x)); }
#define TO_HALF(T, n, via)                                                                                             \
  TO_HALF_ROUNDING(T, n, , via)                                                                                        \
  TO_HALF_ROUNDING(T, n, _rte, via)                                                                                    \
  TO_HALF_ROUNDING(T, n, _rtz, via) TO_HALF_ROUNDING(T, n, _rtp, via) TO_HALF_ROUNDING(T, n, _rtn, via)

// A half is already rounded, in every mode.
#define IDENTITY(n, rounding)                                                                                          \
  OVERLOADABLE half##n convert_half##n##rounding(half##n x) { return x; }

#define FROM_ANY(n)                                                                                                    \
  INTEGER_TO_FLOAT(char, n)                                                                                            \
  INTEGER_TO_FLOAT(uchar, n)                                                                                           \
  INTEGER_TO_FLOAT(short, n)                                                                                           \
  INTEGER_TO_FLOAT(ushort, n)                                                                                          \
  LARGE_INTEGER_TO_FLOAT(int, n)                                                                                       \
  LARGE_INTEGER_TO_FLOAT(uint, n)                                                                                      \
  LARGE_INTEGER_TO_FLOAT(long, n)                                                                                      \
  LARGE_INTEGER_TO_FLOAT(ulong, n)                                                                                     \
  TO_HALF(char, n, exactFloat)                                                                                         \
  TO_HALF(uchar, n, exactFloat)                                                                                        \
  TO_HALF(short, n, exactFloat)                                                                                        \
  TO_HALF(ushort, n, exactFloat)                                                                                       \
  TO_HALF(int, n, exactFloat)                                                                                          \
  TO_HALF(uint, n, exactFloat)                                                                                         \
  TO_HALF(long, n, exactFloat)                                                                                         \
  TO_HALF(ulong, n, exactFloat)                                                                                        \
  TO_HALF(double, n, roundToOdd)                                                                                       \
  IDENTITY(n, )                                                                                                        \
  IDENTITY(n, _rte) IDENTITY(n, _rtz) IDENTITY(n, _rtp) IDENTITY(n, _rtn)
FOR_EACH_N(FROM_ANY)
