// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One work-item an element of a matrix, for any local size.
kernel void elementwise(const global float *restrict a, const global float *restrict b, global float *restrict out,
                        int width) {
  const int i = get_global_id(1) * width + get_global_id(0);
  out[i] = fma(a[i], a[i], fabs(b[i]));
}
// The same on matrices whose columns lie one after the other: neighbours in a row are far apart.
kernel void by_columns(const global float *restrict a, const global float *restrict b, global float *restrict out,
                       int height) {
  const int i = get_global_id(0) * height + get_global_id(1);
  out[i] = fma(a[i], a[i], fabs(b[i]));
}
