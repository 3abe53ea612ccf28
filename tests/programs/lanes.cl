// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many lanes kernels get with AVX2 whose values do not fit into the registers with 32: all of them where each step
// waits for the one before it, half of them where that would only add work.

kernel void chain(global float *data, int n) {
  const size_t i = get_global_id(0);
  const float c0 = data[i], c1 = data[i + 64], c2 = data[i + 128], c3 = data[i + 192], c4 = data[i + 256],
              c5 = data[i + 320];
  float x = c0;
  for (int turn = 0; turn < n; ++turn)
    x = fma(fma(fma(x, c0, c1), c2, c3), c4, c5);
  data[i] = x;
}

kernel void chain_of_doubles(global double *data, int n) {
  const size_t i = get_global_id(0);
  const double c0 = data[i], c1 = data[i + 64];
  double x = c0;
  for (int turn = 0; turn < n; ++turn)
    x = fma(x, c0, c1);
  data[i] = x;
}

kernel void roots(global float *data, int n) {
  const size_t i = get_global_id(0);
  const float c0 = data[i], c1 = data[i + 64], c2 = data[i + 128], c3 = data[i + 192], c4 = data[i + 256],
              c5 = data[i + 320];
  float sum = 0;
  for (int turn = 0; turn < n; ++turn)
    sum += sqrt(c0 + turn) + sqrt(c1 + turn) + sqrt(c2 + turn) + sqrt(c3 + turn) + sqrt(c4 + turn) + sqrt(c5 + turn);
  data[i] = sum;
}
