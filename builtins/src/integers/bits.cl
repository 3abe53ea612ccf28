// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of cl_khr_extended_bit_ops and cl_intel_bfloat16_conversions.
#include "types.h"

#define BIT_REVERSE(T)                                                                                                 \
  OVERLOADABLE T bit_reverse(T x) { return __builtin_elementwise_bitreverse(x); }
FOR_ALL_WIDTHS_OF_INTEGERS(BIT_REVERSE)

// Inserts or extracts a field of `count` bits at `offset`. An empty field is a case of its own, because a shift by the
// width of the type is undefined. S and U are the signed and the unsigned type of the same width. The casts undo the
// promotion of small scalars to int.
#define BITFIELD(S, U, N, BITS)                                                                                        \
  OVERLOADABLE U##N bitfield_insert(U##N base, U##N insert, uint offset, uint count) {                                 \
    U ones = count == 0 ? (U)0 : (U)((U)~(U)0 >> (BITS - count));                                                      \
    U mask = (U)(ones << (offset % BITS));                                                                             \
    U##N moved = (U##N)(insert << (U##N)(U)(offset % BITS));                                                           \
    return (U##N)((base & (U##N)(U)~mask) | (moved & (U##N)mask));                                                     \
  }                                                                                                                    \
  OVERLOADABLE S##N bitfield_insert(S##N base, S##N insert, uint offset, uint count) {                                 \
    return as_##S##N(bitfield_insert(as_##U##N(base), as_##U##N(insert), offset, count));                              \
  }                                                                                                                    \
  OVERLOADABLE S##N bitfield_extract_signed(S##N base, uint offset, uint count) {                                      \
    U up = (U)((BITS - offset - count) % BITS), down = (U)((BITS - count) % BITS);                                     \
    S##N field = (S##N)((S##N)(base << (S##N)(S)up) >> (S##N)(S)down);                                                 \
    return count == 0 ? (S##N)(S)0 : field;                                                                            \
  }                                                                                                                    \
  OVERLOADABLE S##N bitfield_extract_signed(U##N base, uint offset, uint count) {                                      \
    return bitfield_extract_signed(as_##S##N(base), offset, count);                                                    \
  }                                                                                                                    \
  OVERLOADABLE U##N bitfield_extract_unsigned(U##N base, uint offset, uint count) {                                    \
    U up = (U)((BITS - offset - count) % BITS), down = (U)((BITS - count) % BITS);                                     \
    U##N field = (U##N)((U##N)(base << (U##N)up) >> (U##N)down);                                                       \
    return count == 0 ? (U##N)(U)0 : field;                                                                            \
  }                                                                                                                    \
  OVERLOADABLE U##N bitfield_extract_unsigned(S##N base, uint offset, uint count) {                                    \
    return bitfield_extract_unsigned(as_##U##N(base), offset, count);                                                  \
  }
#define BITFIELDS(S, U, BITS)                                                                                          \
  BITFIELD(S, U, , BITS)                                                                                               \
  BITFIELD(S, U, 2, BITS)                                                                                              \
  BITFIELD(S, U, 3, BITS) BITFIELD(S, U, 4, BITS) BITFIELD(S, U, 8, BITS) BITFIELD(S, U, 16, BITS)
BITFIELDS(char, uchar, 8)
BITFIELDS(short, ushort, 16)
BITFIELDS(int, uint, 32)
BITFIELDS(long, ulong, 64)

// bfloat16 is the upper half of a float, rounded to nearest even. A NaN must not round to infinity.
#define BFLOAT16(N)                                                                                                    \
  OVERLOADABLE ushort##N intel_convert_bfloat16##N##_as_ushort##N(float##N x) {                                        \
    uint##N bits = as_uint##N(x);                                                                                      \
    uint##N rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, quiet = bits >> 16 | 0x40;                             \
    return convert_ushort##N(select(rounded, quiet, (int##N)(x != x)));                      \
  }                                                                                                                    \
  OVERLOADABLE float##N intel_convert_as_bfloat16##N##_float##N(ushort##N x) {                                         \
    return as_float##N(convert_uint##N(x) << 16);                                             \
  }
BFLOAT16()
BFLOAT16(2)
BFLOAT16(3)
BFLOAT16(4)
BFLOAT16(8)
BFLOAT16(16)
