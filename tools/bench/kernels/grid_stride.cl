// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel as it is ported from CUDA: there are fewer work-items than elements, each has a loop, and indices have 64
// bits.
kernel void grid_stride(float a, const global float *restrict x, const global float *restrict y,
                        global float *restrict z, ulong n) {
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
    z[i] = fma(a, x[i], y[i]);
}
