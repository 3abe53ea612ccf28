// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of half: those that are one builtin of Clang, and the relational, common and geometric functions.
#include "half_types.h"

// Define functions that are one builtin of Clang.
#define UNARY(f, builtin, n)                                                                                           \
  OVERLOADABLE half##n f(half##n x) { return builtin(x); }
#define BINARY(f, builtin, n)                                                                                          \
  OVERLOADABLE half##n f(half##n x, half##n y) { return builtin(x, y); }

#define ROUNDINGS(n)                                                                                                   \
  UNARY(fabs, __builtin_elementwise_abs, n)                                                                            \
  UNARY(ceil, __builtin_elementwise_ceil, n)                                                                           \
  UNARY(floor, __builtin_elementwise_floor, n)                                                                         \
  UNARY(trunc, __builtin_elementwise_trunc, n)                                                                         \
  UNARY(rint, __builtin_elementwise_rint, n)                                                                           \
  UNARY(round, __builtin_elementwise_round, n)                                                                         \
  BINARY(copysign, __builtin_elementwise_copysign, n)
FOR_EACH_N(ROUNDINGS)

// Defines minima, maxima and clamp, as in min_max.cl.
#define MIN_MAX(n)                                                                                                     \
  OVERLOADABLE half##n fmin(half##n x, half##n y) {                                                                    \
    return select(select(y, x, (short##n)(x < y)), x, (short##n)(y != y));                                             \
  }                                                                                                                    \
  OVERLOADABLE half##n fmax(half##n x, half##n y) {                                                                    \
    return select(select(y, x, (short##n)(x > y)), x, (short##n)(y != y));                                             \
  }                                                                                                                    \
  OVERLOADABLE half##n min(half##n x, half##n y) { return select(x, y, (short##n)(y < x)); }                           \
  OVERLOADABLE half##n max(half##n x, half##n y) { return select(x, y, (short##n)(x < y)); }                           \
  OVERLOADABLE half##n clamp(half##n x, half##n low, half##n high) { return fmin(fmax(x, low), high); }                \
  OVERLOADABLE half##n maxmag(half##n x, half##n y) {                                                                  \
    half##n a = fabs(x), b = fabs(y);                                                                                  \
    return select(select(fmax(x, y), y, (short##n)(b > a)), x, (short##n)(a > b));                                     \
  }                                                                                                                    \
  OVERLOADABLE half##n minmag(half##n x, half##n y) {                                                                  \
    half##n a = fabs(x), b = fabs(y);                                                                                  \
    return select(select(fmin(x, y), y, (short##n)(b < a)), x, (short##n)(a < b));                                     \
  }
FOR_EACH_N(MIN_MAX)

// Defines the common functions (OpenCL C, "Common Functions"), and nan.
#define COMMON(n)                                                                                                      \
  OVERLOADABLE half##n degrees(half##n x) { return narrow(degrees(widen(x))); }                                        \
  OVERLOADABLE half##n radians(half##n x) { return narrow(radians(widen(x))); }                                        \
  OVERLOADABLE half##n mix(half##n x, half##n y, half##n a) { return x + (y - x) * a; }                                \
  OVERLOADABLE half##n step(half##n edge, half##n x) {                                                                 \
    return select((half##n)1.0h, (half##n)0.0h, (short##n)(x < edge));                                                 \
  }                                                                                                                    \
  OVERLOADABLE half##n smoothstep(half##n edge0, half##n edge1, half##n x) {                                           \
    half##n t = clamp((x - edge0) / (edge1 - edge0), (half##n)0.0h, (half##n)1.0h);                                    \
    return t * t * ((half##n)3.0h - (half##n)2.0h * t);                                                                \
  }                                                                                                                    \
  OVERLOADABLE half##n sign(half##n x) {                                                                               \
    half##n one = copysign((half##n)1.0h, x);                                                                          \
    half##n zero_or_one = select(one, x, (short##n)(x == (half##n)0.0h));                                              \
    return select(zero_or_one, (half##n)0.0h, (short##n)(x != x));                                                     \
  }                                                                                                                    \
  OVERLOADABLE half##n nan(ushort##n code) { return as_half##n((ushort##n)(code | (ushort)0x7e00)); }
FOR_EACH_N(COMMON)

// Defines the forms in which some arguments are scalars for all components.
#define BY_SCALAR(n)                                                                                                   \
  OVERLOADABLE half##n fmin(half##n x, half y) { return fmin(x, (half##n)y); }                                         \
  OVERLOADABLE half##n fmax(half##n x, half y) { return fmax(x, (half##n)y); }                                         \
  OVERLOADABLE half##n min(half##n x, half y) { return min(x, (half##n)y); }                                           \
  OVERLOADABLE half##n max(half##n x, half y) { return max(x, (half##n)y); }                                           \
  OVERLOADABLE half##n clamp(half##n x, half low, half high) { return clamp(x, (half##n)low, (half##n)high); }         \
  OVERLOADABLE half##n mix(half##n x, half##n y, half a) { return mix(x, y, (half##n)a); }                             \
  OVERLOADABLE half##n step(half edge, half##n x) { return step((half##n)edge, x); }                                   \
  OVERLOADABLE half##n smoothstep(half edge0, half edge1, half##n x) {                                                 \
    return smoothstep((half##n)edge0, (half##n)edge1, x);                                                              \
  }
BY_SCALAR(2)
BY_SCALAR(3)
BY_SCALAR(4)
BY_SCALAR(8)
BY_SCALAR(16)

// The results of relational functions: -1 or 0 in a vector of shorts, and 1 or 0 in an int for scalars.
#define RELATIONAL(R, n)                                                                                               \
  OVERLOADABLE R isequal(half##n x, half##n y) { return x == y; }                                                      \
  OVERLOADABLE R isnotequal(half##n x, half##n y) { return x != y; }                                                   \
  OVERLOADABLE R isgreater(half##n x, half##n y) { return x > y; }                                                     \
  OVERLOADABLE R isgreaterequal(half##n x, half##n y) { return x >= y; }                                               \
  OVERLOADABLE R isless(half##n x, half##n y) { return x < y; }                                                        \
  OVERLOADABLE R islessequal(half##n x, half##n y) { return x <= y; }                                                  \
  OVERLOADABLE R islessgreater(half##n x, half##n y) { return x < y || x > y; }                                        \
  OVERLOADABLE R isordered(half##n x, half##n y) { return x == x && y == y; }                                          \
  OVERLOADABLE R isunordered(half##n x, half##n y) { return x != x || y != y; }                                        \
  OVERLOADABLE R isfinite(half##n x) { return fabs(x) < (half##n)INFINITY; }                                           \
  OVERLOADABLE R isinf(half##n x) { return fabs(x) == (half##n)INFINITY; }                                             \
  OVERLOADABLE R isnan(half##n x) { return x != x; }                                                                   \
  OVERLOADABLE R isnormal(half##n x) { return fabs(x) < (half##n)INFINITY && fabs(x) >= (half##n)0x1p-14h; }           \
  OVERLOADABLE R signbit(half##n x) { return as_short##n(x) < (short##n)0; }
RELATIONAL(int, )
RELATIONAL(short2, 2)
RELATIONAL(short3, 3)
RELATIONAL(short4, 4)
RELATIONAL(short8, 8)
RELATIONAL(short16, 16)

// Defines bitselect and select on the bits of the components.
#define SELECTION(n)                                                                                                   \
  OVERLOADABLE half##n bitselect(half##n x, half##n y, half##n mask) {                                                 \
    return as_half##n(bitselect(as_ushort##n(x), as_ushort##n(y), as_ushort##n(mask)));                                \
  }                                                                                                                    \
  OVERLOADABLE half##n select(half##n x, half##n y, short##n take_y) {                                                 \
    return as_half##n(select(as_short##n(x), as_short##n(y), take_y));                                                 \
  }                                                                                                                    \
  OVERLOADABLE half##n select(half##n x, half##n y, ushort##n take_y) {                                                \
    return as_half##n(select(as_short##n(x), as_short##n(y), take_y));                                                 \
  }
FOR_EACH_N(SELECTION)

// Defines the geometric functions. Sums of products are computed in float.
#define GEOMETRIC(n)                                                                                                   \
  OVERLOADABLE half dot(half##n x, half##n y) { return narrow(dot(widen(x), widen(y))); }                              \
  OVERLOADABLE half length(half##n x) { return narrow(length(widen(x))); }                                             \
  OVERLOADABLE half distance(half##n x, half##n y) { return narrow(distance(widen(x), widen(y))); }                    \
  OVERLOADABLE half##n normalize(half##n x) { return narrow(normalize(widen(x))); }                                    \
  OVERLOADABLE half fast_length(half##n x) { return narrow(fast_length(widen(x))); }                                   \
  OVERLOADABLE half fast_distance(half##n x, half##n y) { return narrow(fast_distance(widen(x), widen(y))); }          \
  OVERLOADABLE half##n fast_normalize(half##n x) { return narrow(fast_normalize(widen(x))); }
GEOMETRIC()
GEOMETRIC(2)
GEOMETRIC(3)
GEOMETRIC(4)
OVERLOADABLE half3 cross(half3 x, half3 y) { return narrow(cross(widen(x), widen(y))); }
OVERLOADABLE half4 cross(half4 x, half4 y) { return narrow(cross(widen(x), widen(y))); }
