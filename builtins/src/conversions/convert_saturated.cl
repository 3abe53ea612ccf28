// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Saturating conversions of floating point to integers. A NaN becomes 0. A conversion never sees a value out of range,
// for which its result would be undefined.
#include "float_math.h"

// The default rounding of conversions to integers is toward zero.
#define ROUND_DEFAULT(x) __builtin_elementwise_trunc(x)
#define ROUND_rte(x) __builtin_elementwise_rint(x)
#define ROUND_rtz(x) __builtin_elementwise_trunc(x)
#define ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define ROUND_rtn(x) __builtin_elementwise_floor(x)

// Defines a conversion to a type T that is narrower than int. Both limits of T are exact in F.
#define SMALL(F, T, MIN, MAX, name, round)                                                                             \
  OVERLOADABLE T name(F x) {                                                                                           \
    F y = round(x == x ? x : (F)0);                                                                                    \
    y = y < (F)MIN ? (F)MIN : y;                                                                                       \
    y = y > (F)MAX ? (F)MAX : y;                                                                                       \
    return (T)(int)y;                                                                                                  \
  }
// Defines a conversion to another type T. The largest value of T may not be exact in F, but the first value past it, a
// power of two, is.
#define LARGE(F, T, MIN, MAX, name, round)                                                                             \
  OVERLOADABLE T name(F x) {                                                                                           \
    F y = round(x), beyond = (F)2 * (F)(MAX / 2 + 1);                                                                  \
    bool fits = y >= (F)MIN && y < beyond;                                                                             \
    T outside = y >= beyond ? MAX : (y < (F)MIN ? MIN : 0);                                                            \
    T converted = (T)(fits ? y : (F)0);                                                                                \
    return fits ? converted : outside;                                                                                 \
  }

#define VECTORS(F, T, name, mode)                                                                                      \
  OVERLOADABLE T##2 name##2##mode(F##2 x) { return (T##2)(name##mode(x.x), name##mode(x.y)); }                         \
  OVERLOADABLE T##3 name##3##mode(F##3 x) { return (T##3)(name##mode(x.x), name##mode(x.y), name##mode(x.z)); }        \
  OVERLOADABLE T##4 name##4##mode(F##4 x) { return (T##4)(name##2##mode(x.lo), name##2##mode(x.hi)); }                 \
  OVERLOADABLE T##8 name##8##mode(F##8 x) { return (T##8)(name##4##mode(x.lo), name##4##mode(x.hi)); }                 \
  OVERLOADABLE T##16 name##16##mode(F##16 x) { return (T##16)(name##8##mode(x.lo), name##8##mode(x.hi)); }

// Defines one function and its vectors. KIND is SMALL or LARGE, and `mode` the suffix of the function's name.
#define MODE(KIND, F, T, MIN, MAX, mode, round)                                                                        \
  KIND(F, T, MIN, MAX, convert_##T##mode, round) VECTORS(F, T, convert_##T, mode)
#define MODES(KIND, F, T, MIN, MAX)                                                                                    \
  MODE(KIND, F, T, MIN, MAX, _sat, ROUND_DEFAULT)                                                                      \
  MODE(KIND, F, T, MIN, MAX, _sat_rte, ROUND_rte)                                                                      \
  MODE(KIND, F, T, MIN, MAX, _sat_rtz, ROUND_rtz)                                                                      \
  MODE(KIND, F, T, MIN, MAX, _sat_rtp, ROUND_rtp) MODE(KIND, F, T, MIN, MAX, _sat_rtn, ROUND_rtn)

#define FROM(F)                                                                                                        \
  MODES(SMALL, F, char, CHAR_MIN, CHAR_MAX)                                                                            \
  MODES(SMALL, F, uchar, 0, UCHAR_MAX)                                                                                 \
  MODES(SMALL, F, short, SHRT_MIN, SHRT_MAX)                                                                           \
  MODES(SMALL, F, ushort, 0, USHRT_MAX)                                                                                \
  MODES(LARGE, F, int, INT_MIN, INT_MAX)                                                                               \
  MODES(LARGE, F, uint, 0, UINT_MAX)                                                                                   \
  MODES(LARGE, F, long, LONG_MIN, LONG_MAX)                                                                            \
  MODES(LARGE, F, ulong, 0, ULONG_MAX)
FROM(float)
FROM(double)
