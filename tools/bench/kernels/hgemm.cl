// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = A x B in half precision for square matrices of n rows. Each sub-group of 16 computes ROWS rows of 32 columns. It
// adds 16 products at a time in half, and these sums in float.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define ROWS 8

__attribute__((intel_reqd_sub_group_size(16)))
kernel void hgemm(const global half *restrict a, const global half *restrict b, global half *restrict c, int n) {
  const int column = get_group_id(0) * 32, row = get_group_id(1) * ROWS;
  float2 sums[ROWS] = {};
  for (int k = 0; k < n; k += 16) {
    half a_block[ROWS];
    half2 partial[ROWS] = {};
    __attribute__((opencl_unroll_hint(ROWS))) for (int m = 0; m < ROWS; ++m)
      a_block[m] = as_half(intel_sub_group_block_read_us((const global ushort *)(a + (row + m) * n + k)));
    __attribute__((opencl_unroll_hint(16))) for (int lane = 0; lane < 16; ++lane) {
      const half2 b_row =
          as_half2(intel_sub_group_block_read_us2((const global ushort *)(b + (k + lane) * n + column)));
      __attribute__((opencl_unroll_hint(ROWS))) for (int m = 0; m < ROWS; ++m)
        partial[m] = fma((half2)(sub_group_broadcast(a_block[m], lane)), b_row, partial[m]);
    }
    __attribute__((opencl_unroll_hint(ROWS))) for (int m = 0; m < ROWS; ++m)
      sums[m] += convert_float2(partial[m]);
  }
  __attribute__((opencl_unroll_hint(ROWS))) for (int m = 0; m < ROWS; ++m)
    intel_sub_group_block_write_us2((global ushort *)(c + (row + m) * n + column), as_ushort2(convert_half2(sums[m])));
}
