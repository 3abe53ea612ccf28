// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_intel_subgroup_matrix_multiply_accumulate and its companions: split and tf32.
//
// A sub-group of 8 holds a row of the left matrix with 32 bits in each lane, and a sub-group of 16 with 16 bits. So the
// types of a function determine its sub-group size.
#include "lane_primitives.h"

// Defines one function. `width` is the sub-group size, A and B the types of a lane's parts of both matrices, T that of
// the sum.
#define MAD(name, types, width, A, B, T)                                                                               \
  OVERLOADABLE T intel_sub_group_##name(A a, B b, T acc) {                                                             \
    __lanecl_require_width(width);                                                                                     \
    return __lanecl_matrix_mad_##types(a, b, acc);                                                                     \
  }
// Defines the functions for one, two, four and eight rows.
#define ROWS(name, types, width, A, B, T)                                                                              \
  MAD(name, types, width, A, B, T)                                                                                     \
  MAD(name, types, width, A##2, B, T##2)                                                                               \
  MAD(name, types, width, A##4, B, T##4) MAD(name, types, width, A##8, B, T##8)
// Defines the functions for sub-groups of 8 and of 16.
#define MATRIX_MAD(types, k, sign, B, T)                                                                               \
  ROWS(types##_matrix_mad_##k, types, 8, sign##int, B, T)                                                              \
  ROWS(types##_matrix_mad_##k, types, 16, sign##short, B, T)

MATRIX_MAD(i8_i8, k32, , int8, int)
MATRIX_MAD(i8_u8, k32, , uint8, int)
MATRIX_MAD(u8_i8, k32, u, int8, int)
MATRIX_MAD(u8_u8, k32, u, uint8, int)
MATRIX_MAD(i4_i4, k64, , int8, int)
MATRIX_MAD(i4_u4, k64, , uint8, int)
MATRIX_MAD(u4_i4, k64, u, int8, int)
MATRIX_MAD(u4_u4, k64, u, uint8, int)
MATRIX_MAD(bf16_bf16, k16, , int8, float)
MATRIX_MAD(f16_f16, k16, , int8, float)

// Sums with an accumulator of 16 bits are computed in single precision and rounded once.
#define BFLOAT16(n)                                                                                                    \
  OVERLOADABLE short##n intel_sub_group_bf16_bf16_matrix_mad_k16(short##n a, int8 b, short##n acc) {                   \
    float##n sum = intel_convert_as_bfloat16##n##_float##n(as_ushort##n(acc));                                         \
    return as_short##n(intel_convert_bfloat16##n##_as_ushort##n(intel_sub_group_bf16_bf16_matrix_mad_k16(a, b, sum))); \
  }
BFLOAT16()
BFLOAT16(2)
BFLOAT16(4)
BFLOAT16(8)

#define HALF(n)                                                                                                        \
  OVERLOADABLE half##n intel_sub_group_f16_f16_matrix_mad_k16(short##n a, int8 b, half##n acc) {                       \
    return convert_half##n(intel_sub_group_f16_f16_matrix_mad_k16(a, b, convert_float##n(acc)));                       \
  }
HALF()
HALF(2)
HALF(4)
HALF(8)

// Split functions: two partner sub-groups share a matrix. The even one passes the upper half of its rows, and the odd
// one the lower half.
#define SPLIT_MAD(types, k, A, B, T, half_T)                                                                           \
  OVERLOADABLE T intel_sub_group_##types##_split_matrix_mad_##k(A a, B b, T acc) {                                     \
    __lanecl_require_width(8);                                                                                         \
    A other = __lanecl_partner(a);                                                                                     \
    bool second = __lanecl_sub_group_id() & 1;                                                                         \
    half_T upper = __lanecl_matrix_mad_##types(second ? other : a, b, acc.lo);                                         \
    half_T lower = __lanecl_matrix_mad_##types(second ? a : other, b, acc.hi);                                         \
    return (T)(upper, lower);                                                                                          \
  }
#define SPLIT_MADS(types, k, A, B, T)                                                                                  \
  SPLIT_MAD(types, k, A, B, T##2, T)                                                                                   \
  SPLIT_MAD(types, k, A##2, B, T##4, T##2) SPLIT_MAD(types, k, A##4, B, T##8, T##4)
SPLIT_MADS(i8_i8, k32, int, int8, int)
SPLIT_MADS(i8_u8, k32, int, uint8, int)
SPLIT_MADS(u8_i8, k32, uint, int8, int)
SPLIT_MADS(u8_u8, k32, uint, uint8, int)
SPLIT_MADS(bf16_bf16, k16, int, int8, float)
SPLIT_MADS(f16_f16, k16, int, int8, float)

// Eight lanes hold a row of eight elements, so a sub-group of 16 holds two rows in each component.
MAD(tf32_tf32_matrix_mad_k8, tf32_tf32, 16, float, float8, float)
MAD(tf32_tf32_matrix_mad_k8, tf32_tf32, 16, float, float8, float2)
MAD(tf32_tf32_matrix_mad_k8, tf32_tf32, 16, float2, float8, float4)
MAD(tf32_tf32_matrix_mad_k8, tf32_tf32, 16, float4, float8, float8)

// tf32 is a float with ten bits of mantissa, rounded to nearest even. A NaN must not round to infinity.
#define TFLOAT32(n)                                                                                                    \
  OVERLOADABLE float##n intel_convert_tfloat32##n##_as_float##n(float##n x) {                                          \
    uint##n bits = as_uint##n(x);                                                                                      \
    uint##n rounded = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu, quiet = (bits | 0x400000) & ~0x1fffu;              \
    return as_float##n(select(rounded, quiet, (int##n)(x != x)));                                                      \
  }
TFLOAT32()
TFLOAT32(2)
TFLOAT32(3)
TFLOAT32(4)
TFLOAT32(8)
TFLOAT32(16)
