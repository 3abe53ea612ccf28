// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of cl_khr_integer_dot_product, and SPIR-V's dot products with results of other widths.
#include "types.h"

// R is the type of the result, and A and B are vectors of four bytes. Names tell the signs of both, such as "us".
#define DOT(R, A, B, name)                                                                                             \
  OVERLOADABLE R dot(A x, B y) { return (R)(x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w); }                          \
  OVERLOADABLE R dot_acc_sat(A x, B y, R sum) { return add_sat(dot(x, y), sum); }                                      \
  OVERLOADABLE R dot_4x8packed_##name(uint x, uint y) { return dot(as_##A(x), as_##B(y)); }                            \
  OVERLOADABLE R dot_acc_sat_4x8packed_##name(uint x, uint y, R sum) { return dot_acc_sat(as_##A(x), as_##B(y), sum); }
DOT(uint, uchar4, uchar4, uu_uint)
DOT(int, char4, char4, ss_int)
DOT(int, uchar4, char4, us_int)
DOT(int, char4, uchar4, su_int)

// SPIR-V's dot products have results of any width. The sum of four products of bytes always fits 32 bits.
#define DOT_OF_WIDTH(R, A, B, name, ACCUMULATE)                                                                        \
  OVERLOADABLE R __lanecl_dot_##name##_##R(A x, B y) { return (R)dot(x, y); }                                          \
  OVERLOADABLE R __lanecl_dot_##name##_##R(uint x, uint y) { return (R)dot(as_##A(x), as_##B(y)); }                    \
  OVERLOADABLE R __lanecl_dot_acc_sat_##name##_##R(A x, B y, R sum) { return ACCUMULATE(R, dot(x, y), sum); }          \
  OVERLOADABLE R __lanecl_dot_acc_sat_##name##_##R(uint x, uint y, R sum) {                                            \
    return ACCUMULATE(R, dot(as_##A(x), as_##B(y)), sum);                                                              \
  }
// Adds to an accumulator of 8 or 16 bits: the exact sum fits an int.
#define NARROW(R, product, sum) convert_##R##_sat((product) + (sum))
// Adds to an accumulator of 64 bits.
#define WIDE(R, product, sum) add_sat((R)(product), sum)
#define DOT_OF_WIDTHS(A, B, name, U)                                                                                   \
  DOT_OF_WIDTH(U##char, A, B, name, NARROW)                                                                            \
  DOT_OF_WIDTH(U##short, A, B, name, NARROW)                                                                           \
  DOT_OF_WIDTH(U##long, A, B, name, WIDE)
DOT_OF_WIDTHS(uchar4, uchar4, uu, u)
DOT_OF_WIDTHS(char4, char4, ss, )
DOT_OF_WIDTHS(char4, uchar4, su, )
