// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// y = a * x + y, one element for each work-item.
kernel void saxpy(float a, const global float *restrict x, global float *restrict y) {
  const size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
