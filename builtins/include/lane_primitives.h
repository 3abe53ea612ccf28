// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares the lane primitives, which the vectorizer turns into lane code. vectorizer/contract/lane_primitives.def
// describes them.
#pragma once

#include "types.h"

// The position of a work-item, the sizes of what it belongs to, and the addresses of local and private memory.
PURE uint __lanecl_lane_id(void);
PURE size_t __lanecl_local_id(uint dim);
PURE size_t __lanecl_global_id(uint dim);
PURE uint __lanecl_width(void);
PURE uint __lanecl_sub_group_size(void);
PURE uint __lanecl_sub_group_id(void);
PURE uint __lanecl_num_sub_groups(void);
PURE uint __lanecl_enqueued_num_sub_groups(void);
PURE size_t __lanecl_group_id(uint dim);
PURE size_t __lanecl_num_groups(uint dim);
PURE size_t __lanecl_local_size(uint dim);
PURE size_t __lanecl_enqueued_local_size(uint dim);
PURE size_t __lanecl_global_size(uint dim);
PURE size_t __lanecl_global_offset(uint dim);
PURE uint __lanecl_work_dim(void);
PURE ulong __lanecl_local_memory(void);
PURE ulong __lanecl_local_bytes(void);
PURE ulong __lanecl_private_memory(void);
PURE ulong __lanecl_private_bytes(void);
OVERLOADABLE void __lanecl_require_width(uint width);

// Votes over the active lanes.
PURE int __lanecl_any(int predicate);
PURE int __lanecl_all(int predicate);
PURE ulong __lanecl_ballot(int predicate);
PURE ulong __lanecl_active_mask(void);

// Exchanges of values between lanes.
#define DECLARE(T)                                                                                                     \
  PURE T __lanecl_broadcast(T value, uint lane);                                                                       \
  PURE T __lanecl_broadcast_first(T value);                                                                            \
  PURE T __lanecl_shuffle(T value, uint lane);                                                                         \
  PURE T __lanecl_shuffle2(T low, T high, uint index);
FOR_EVERY_TYPE(DECLARE)
#undef DECLARE
PURE __global uchar *__lanecl_broadcast_first(__global uchar *value);

// Reductions and scans over the active lanes.
#define DECLARE(T, op)                                                                                                 \
  PURE T __lanecl_reduce_##op(T value);                                                                                \
  PURE T __lanecl_clustered_reduce_##op(T value, uint size);                                                           \
  PURE T __lanecl_scan_inclusive_##op(T value);                                                                        \
  PURE T __lanecl_scan_exclusive_##op(T value);
#define DECLARE_ARITHMETIC(T) DECLARE(T, add) DECLARE(T, mul)
#define DECLARE_BITS(T) DECLARE(T, and) DECLARE(T, or) DECLARE(T, xor)
#define DECLARE_SIGNED(T) DECLARE(T, smin) DECLARE(T, smax)
#define DECLARE_UNSIGNED(T) DECLARE(T, umin) DECLARE(T, umax)
#define DECLARE_FLOAT(T) DECLARE(T, fmin) DECLARE(T, fmax)
FOR_SCALARS(DECLARE_ARITHMETIC)
FOR_INTEGERS(DECLARE_BITS)
FOR_SIGNED(DECLARE_SIGNED)
FOR_UNSIGNED(DECLARE_UNSIGNED)
FOR_FLOATS(DECLARE_FLOAT)
#undef DECLARE_FLOAT
#undef DECLARE_UNSIGNED
#undef DECLARE_SIGNED
#undef DECLARE_BITS
#undef DECLARE_ARITHMETIC
#undef DECLARE

// Block reads and writes. `suffix` names the type of a component: uc, us, ui or ul. The number of components follows
// unless it is one.
#define DECLARE(AS, T, suffix, n)                                                                                      \
  OVERLOADABLE T##n __lanecl_block_read_##suffix##n(const AS T *p);                                                    \
  OVERLOADABLE void __lanecl_block_write_##suffix##n(AS T *p, T##n data);
#define DECLARE_COUNTS(AS, T, suffix)                                                                                  \
  DECLARE(AS, T, suffix, )                                                                                             \
  DECLARE(AS, T, suffix, 2) DECLARE(AS, T, suffix, 4) DECLARE(AS, T, suffix, 8) DECLARE(AS, T, suffix, 16)
#define DECLARE_COMPONENTS(AS)                                                                                         \
  DECLARE_COUNTS(AS, uchar, uc)                                                                                        \
  DECLARE_COUNTS(AS, ushort, us) DECLARE_COUNTS(AS, uint, ui) DECLARE_COUNTS(AS, ulong, ul)
DECLARE_COMPONENTS(__global)
DECLARE_COMPONENTS(__local)
#undef DECLARE_COMPONENTS
#undef DECLARE_COUNTS
#undef DECLARE

// Row reads and writes. `suffix` names the type of an element: uc, us or ui.
#define DECLARE(T, suffix)                                                                                             \
  OVERLOADABLE T __lanecl_row_read_##suffix(const __global T *p, uint first, uint end);                                \
  OVERLOADABLE void __lanecl_row_write_##suffix(__global T *p, uint first, uint end, T data);
DECLARE(uchar, uc)
DECLARE(ushort, us)
DECLARE(uint, ui)
#undef DECLARE

// Matrix multiplication. Each lane holds an `A` of each row; a row has eight dwords, and for tf32 two rows of eight
// share one register. `types` names the element types of both matrices.
#define DECLARE(types, A, B, T) PURE T __lanecl_matrix_mad_##types(A a, B b, T sum);
#define DECLARE_ROWS(types, A, B, T)                                                                                   \
  DECLARE(types, A, B, T) DECLARE(types, A##2, B, T##2) DECLARE(types, A##4, B, T##4) DECLARE(types, A##8, B, T##8)
#define DECLARE_WIDTHS(types, sign, B, T) DECLARE_ROWS(types, sign##int, B, T) DECLARE_ROWS(types, sign##short, B, T)
#define DECLARE_INTEGERS(bits)                                                                                         \
  DECLARE_WIDTHS(i##bits##_i##bits, , int8, int)                                                                       \
  DECLARE_WIDTHS(i##bits##_u##bits, , uint8, int)                                                                      \
  DECLARE_WIDTHS(u##bits##_i##bits, u, int8, int) DECLARE_WIDTHS(u##bits##_u##bits, u, uint8, int)
DECLARE_INTEGERS(8)
DECLARE_INTEGERS(4)
DECLARE_WIDTHS(bf16_bf16, , int8, float)
DECLARE_WIDTHS(f16_f16, , int8, float)
DECLARE(tf32_tf32, float, float8, float)
DECLARE(tf32_tf32, float, float8, float2)
DECLARE(tf32_tf32, float2, float8, float4)
DECLARE(tf32_tf32, float4, float8, float8)
#undef DECLARE_INTEGERS
#undef DECLARE_WIDTHS
#undef DECLARE_ROWS
#undef DECLARE

// Returns the value of the same lane in the partner sub-group. Sub-groups 2i and 2i + 1 are partners.
#define DECLARE(T) OVERLOADABLE T __lanecl_partner(T value);
FOR_WIDTHS(DECLARE, int)
FOR_WIDTHS(DECLARE, uint)
#undef DECLARE

// Barriers, the time stamp counter, and printf.
OVERLOADABLE void __lanecl_work_group_barrier(uint flags);
OVERLOADABLE void __lanecl_sub_group_barrier(uint flags);
OVERLOADABLE ulong __lanecl_clock(void);
OVERLOADABLE int __lanecl_printf(__constant char *format, const uchar *arguments, uint bytes);
