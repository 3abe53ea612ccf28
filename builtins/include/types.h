// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lists of types, for files that define one function for many types.
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Expands M(T) for the vectors of a scalar type, and for the type itself and its vectors.
#define FOR_VECTORS(M, T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
#define FOR_WIDTHS(M, T) M(T) FOR_VECTORS(M, T)

#define FOR_SIGNED(M) M(char) M(short) M(int) M(long)
#define FOR_UNSIGNED(M) M(uchar) M(ushort) M(uint) M(ulong)
#define FOR_INTEGERS(M) FOR_SIGNED(M) FOR_UNSIGNED(M)
#define FOR_FLOATS(M) M(half) M(float) M(double)
#define FOR_SCALARS(M) FOR_INTEGERS(M) FOR_FLOATS(M)

// Expands M(T) for every scalar and vector type.
#define FOR_ALL_WIDTHS_OF_INTEGERS(M)                                                                                  \
  FOR_WIDTHS(M, char) FOR_WIDTHS(M, uchar) FOR_WIDTHS(M, short) FOR_WIDTHS(M, ushort)                                  \
  FOR_WIDTHS(M, int) FOR_WIDTHS(M, uint) FOR_WIDTHS(M, long) FOR_WIDTHS(M, ulong)
#define FOR_ALL_WIDTHS_OF_FLOATS(M) FOR_WIDTHS(M, half) FOR_WIDTHS(M, float) FOR_WIDTHS(M, double)
#define FOR_EVERY_TYPE(M) FOR_ALL_WIDTHS_OF_INTEGERS(M) FOR_ALL_WIDTHS_OF_FLOATS(M)

#define OVERLOADABLE __attribute__((overloadable))
#define PURE __attribute__((overloadable, const))
