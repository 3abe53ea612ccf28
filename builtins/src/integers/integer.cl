// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Integer functions whose sums and products may wrap around or saturate. They replace libclc's, which multiply and add
// signed numbers, whose overflow is undefined. libclc's mad_sat of long also gives wrong results.
#include "types.h"

#define TERNARY_VECTORS(f, T)                                                                                          \
  OVERLOADABLE T##2 f(T##2 x, T##2 y, T##2 z) {                                                                        \
    return (T##2)(f(x.x, y.x, z.x), f(x.y, y.y, z.y));                                                                 \
  }                                                                                                                    \
  OVERLOADABLE T##3 f(T##3 x, T##3 y, T##3 z) {                                                                        \
    return (T##3)(f(x.xy, y.xy, z.xy), f(x.z, y.z, z.z));                                                              \
  }                                                                                                                    \
  OVERLOADABLE T##4 f(T##4 x, T##4 y, T##4 z) {                                                                        \
    return (T##4)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                                           \
  }                                                                                                                    \
  OVERLOADABLE T##8 f(T##8 x, T##8 y, T##8 z) {                                                                        \
    return (T##8)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                                           \
  }                                                                                                                    \
  OVERLOADABLE T##16 f(T##16 x, T##16 y, T##16 z) {                                                                    \
    return (T##16)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                                          \
  }

OVERLOADABLE int mad_sat(int x, int y, int z) {
  return convert_int_sat((long)x * y + z);
}
TERNARY_VECTORS(mad_sat, int)

// Returns the upper half of the product. It is computed from the unsigned product, which takes a negative factor as
// larger by 2^64, and then corrected.
#define MUL_HI(N)                                                                                                      \
  OVERLOADABLE long##N mul_hi(long##N x, long##N y) {                                                                  \
    return as_long##N(mul_hi(as_ulong##N(x), as_ulong##N(y)) - (as_ulong##N(x >> 63) & as_ulong##N(y)) -               \
                      (as_ulong##N(y >> 63) & as_ulong##N(x)));                                                        \
  }
MUL_HI()
MUL_HI(2)
MUL_HI(3)
MUL_HI(4)
MUL_HI(8)
MUL_HI(16)

// Computes the sum in 128 bits. It fits a long if its upper half is the sign extension of its lower half.
OVERLOADABLE long mad_sat(long x, long y, long z) {
  ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
  long high = mul_hi(x, y) + (z >> 63) + (low < product ? 1 : 0);
  long beyond = high < 0 ? LONG_MIN : LONG_MAX;
  return high == (long)low >> 63 ? (long)low : beyond;
}
TERNARY_VECTORS(mad_sat, long)

// Returns the upper half of the product plus z. The sum wraps around.
#define MAD_HI(T, U)                                                                                                   \
  OVERLOADABLE T mad_hi(T x, T y, T z) {                                                                               \
    return (T)((U)mul_hi(x, y) + (U)z);                                                                                \
  }                                                                                                                    \
  TERNARY_VECTORS(mad_hi, T)
MAD_HI(int, uint)
MAD_HI(long, ulong)

// Products of the lowest 24 bits. The lowest 32 bits of the product are the same for signed and unsigned numbers.
OVERLOADABLE int mul24(int x, int y) {
  return (int)((uint)(x << 8 >> 8) * (uint)(y << 8 >> 8));
}
OVERLOADABLE int mad24(int x, int y, int z) {
  return (int)((uint)mul24(x, y) + (uint)z);
}
#define MUL_24(N)                                                                                                      \
  OVERLOADABLE int##N mul24(int##N x, int##N y) {                                                                      \
    return as_int##N(as_uint##N(x << 8 >> 8) * as_uint##N(y << 8 >> 8));                                               \
  }
MUL_24(2)
MUL_24(3) MUL_24(4) MUL_24(8) MUL_24(16) TERNARY_VECTORS(mad24, int)

// Defines, for SPIR-V, the carry of a sum of unsigned numbers and the borrow of their difference. The carry is 1 if the
// sum does not fit the type, and the borrow is 1 if the difference is below zero.
#define CARRY(T, bits)                                                                                                 \
  PURE T __lanecl_carry(T a, T b) {                                                                                    \
    T sum = a + b;                                                                                                     \
    return ((a & b) | ((a | b) & (T)~sum)) >> (T)(bits - 1);                                                           \
  }                                                                                                                    \
  PURE T __lanecl_borrow(T a, T b) {                                                                                   \
    T difference = a - b;                                                                                              \
    return (((T)~a & b) | ((T)~(a ^ b) & difference)) >> (T)(bits - 1);                                                \
  }
#define CARRIES(T, bits)                                                                                               \
  CARRY(T, bits) CARRY(T##2, bits) CARRY(T##3, bits) CARRY(T##4, bits) CARRY(T##8, bits) CARRY(T##16, bits)
CARRIES(uchar, 8)
CARRIES(ushort, 16)
CARRIES(uint, 32)
CARRIES(ulong, 64)
