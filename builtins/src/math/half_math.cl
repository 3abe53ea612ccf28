// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Mathematical functions of half. Each is the function of float, rounded to half.
#include "half_types.h"
#include "lane_instructions.h"

#define UNARY_N(f, n)                                                                                                  \
  OVERLOADABLE half##n f(half##n x) { return narrow(f(widen(x))); }
#define UNARY(f) UNARY_N(f, ) UNARY_N(f, 2) UNARY_N(f, 3) UNARY_N(f, 4) UNARY_N(f, 8) UNARY_N(f, 16)

#define BINARY_N(f, n)                                                                                                 \
  OVERLOADABLE half##n f(half##n x, half##n y) { return narrow(f(widen(x), widen(y))); }
#define BINARY(f) BINARY_N(f, ) BINARY_N(f, 2) BINARY_N(f, 3) BINARY_N(f, 4) BINARY_N(f, 8) BINARY_N(f, 16)

#define WITH_INT_N(f, n)                                                                                               \
  OVERLOADABLE half##n f(half##n x, int##n y) { return narrow(f(widen(x), y)); }
#define WITH_INT(f)                                                                                                    \
  WITH_INT_N(f, ) WITH_INT_N(f, 2) WITH_INT_N(f, 3) WITH_INT_N(f, 4) WITH_INT_N(f, 8) WITH_INT_N(f, 16)

UNARY(acos)
UNARY(acosh)
UNARY(acospi)
UNARY(asin)
UNARY(asinh)
UNARY(asinpi)
UNARY(atan)
UNARY(atanh)
UNARY(atanpi)
UNARY(cbrt)
UNARY(cosh)
UNARY(cospi)
UNARY(erf)
UNARY(erfc)
UNARY(expm1)
UNARY(lgamma)
UNARY(log1p)
UNARY(logb)
UNARY(rsqrt)
UNARY(sinh)
UNARY(sinpi)
UNARY(sqrt)
UNARY(tan)
UNARY(tanh)
UNARY(tanpi)
UNARY(tgamma)

// The native functions of float have five more bits than a half, which is enough for these.
#define BY_NATIVE_N(f, n)                                                                                              \
  OVERLOADABLE half##n f(half##n x) { return narrow(native_##f(widen(x))); }
// Defines functions that the native function of float computes.
#define BY_NATIVE(f)                                                                                                   \
  BY_NATIVE_N(f, ) BY_NATIVE_N(f, 2) BY_NATIVE_N(f, 3) BY_NATIVE_N(f, 4) BY_NATIVE_N(f, 8) BY_NATIVE_N(f, 16)
BY_NATIVE(exp)
BY_NATIVE(exp2)
BY_NATIVE(exp10)
BY_NATIVE(log)
BY_NATIVE(log2)
BY_NATIVE(log10)

BINARY(atan2)
BINARY(atan2pi)
BINARY(fdim)
BINARY(fmod)
BINARY(hypot)
BINARY(pow)
BINARY(powr)
BINARY(remainder)

WITH_INT(ldexp)
WITH_INT(pown)
WITH_INT(rootn)

#define LDEXP_BY_SCALAR(n)                                                                                             \
  OVERLOADABLE half##n ldexp(half##n x, int k) { return ldexp(x, (int##n)k); }
LDEXP_BY_SCALAR(2)
LDEXP_BY_SCALAR(3)
LDEXP_BY_SCALAR(4)
LDEXP_BY_SCALAR(8)
LDEXP_BY_SCALAR(16)

#define ILOGB(n)                                                                                                       \
  OVERLOADABLE int##n ilogb(half##n x) { return ilogb(widen(x)); }
FOR_EACH_N(ILOGB)

// fma() on processors without half arithmetic. The product of two halves is exact in float. Rounding the sum to float,
// and then to half, is right unless the float is halfway between two halves.
//
// In that case fmaOfTies() rounds the sum to odd: toward zero, and with the last bit set if anything is lost. This
// float is on the same side of halfway as the exact sum. A NaN gives a NaN in `error`, for which both comparisons are
// false.
#define FMA_OF_TIES(n)                                                                                                 \
  static inline OVERLOADABLE half##n fmaOfTies(float##n x, float##n y, float##n z, float##n sum) {                     \
    float##n rest = sum - z;                                                                                           \
    float##n error = mad(x, y, -rest) + (z - (sum - rest));                                                            \
    int##n bits = as_int##n(sum);                                                                                      \
    bits = select(bits, bits - 1, (int##n)(error * sum < 0)); /* not zero: 2^-96 at least */                           \
    return narrow(as_float##n(select(bits, bits | 1, (int##n)(error < 0 || error > 0))));                              \
  }
FOR_EACH_N(FMA_OF_TIES)

// Whether a condition holds for a scalar, or for any component of a vector.
static inline OVERLOADABLE bool isAny(int x) { return x; }
#define IS_ANY(n)                                                                                                      \
  static inline OVERLOADABLE bool isAny(int##n x) { return any(x); }
IS_ANY(2) IS_ANY(3) IS_ANY(4) IS_ANY(8) IS_ANY(16)

// A float that is halfway between two halves has one bit more than a half, or even fewer bits if these halves are
// denormal. So its last 12 bits are zero.
#define FMA(n)                                                                                                         \
  OVERLOADABLE half##n fma(half##n x, half##n y, half##n z) {                                                          \
    if (__lanecl_has_half_arithmetic())                                                                                \
      return __builtin_elementwise_fma(x, y, z);                                                                       \
    float##n sum = mad(widen(x), widen(y), widen(z));                                                                  \
    half##n result = narrow(sum);                                                                                      \
    if (isAny((as_int##n(sum) << 20 == 0) & (widen(result) != sum)))                                                   \
      result = fmaOfTies(widen(x), widen(y), widen(z), sum);                                                           \
    return result;                                                                                                     \
  }
FOR_EACH_N(FMA)

#define MAD(n)                                                                                                         \
  OVERLOADABLE half##n mad(half##n x, half##n y, half##n z) {                                                          \
    return __lanecl_has_half_arithmetic() ? __builtin_elementwise_fma(x, y, z)                                         \
                                          : narrow(mad(widen(x), widen(y), widen(z)));                                 \
  }
FOR_EACH_N(MAD)

// The order of halves is that of their bits, once those of negative halves are mirrored.
#define NEXTAFTER(n)                                                                                                   \
  OVERLOADABLE half##n nextafter(half##n x, half##n y) {                                                               \
    short##n one = 1, mirror = SHRT_MIN, bits_x = as_short##n(x), bits_y = as_short##n(y);                             \
    short##n from = select(bits_x, (short##n)(mirror - bits_x), (short##n)(bits_x >> 15));                             \
    short##n to = select(bits_y, (short##n)(mirror - bits_y), (short##n)(bits_y >> 15));                               \
    short##n next = select((short##n)(from - one), (short##n)(from + one), (short##n)(from < to));                     \
    short##n bits = select(next, (short##n)(mirror - next), (short##n)(next >> 15));                                   \
    bits = select(bits, bits_y, (short##n)(from == to));                                                               \
    return select(as_half##n(bits), x + y, (short##n)(x != x || y != y));                                              \
  }
FOR_EACH_N(NEXTAFTER)
