// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One element of a matrix for each work-item, with any local size.
kernel void elementwise(const global float *restrict a, const global float *restrict b, global float *restrict out,
                        int width) {
  const int i = get_global_id(1) * width + get_global_id(0);
  out[i] = fma(a[i], a[i], fabs(b[i]));
}
// Works on matrices that are stored by columns, so that neighboring work-items access elements that are far apart.
kernel void by_columns(const global float *restrict a, const global float *restrict b, global float *restrict out,
                       int height) {
  const int i = get_global_id(0) * height + get_global_id(1);
  out[i] = fma(a[i], a[i], fabs(b[i]));
}
