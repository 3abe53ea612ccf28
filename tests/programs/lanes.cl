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

// Long kernels: code for half of the lanes is compiled first. Here it has room.
#define MIX x = (x ^ rotate(x, 7u)) + 0x9e3779b9u;
#define TEN(S) S S S S S S S S S S
kernel void mixed(global uint *data) {
  const size_t i = get_global_id(0);
  uint x = data[i];
  TEN(TEN(MIX))
  data[i] = x;
}

// Here it waits, and spills little.
#define STEP(a, b, c, d, word) a = b + rotate(a + ((b & c) | (~b & d)) + word, 11u);
#define ROUND STEP(a, b, c, d, w0) STEP(d, a, b, c, w1) STEP(c, d, a, b, w0) STEP(b, c, d, a, w2)
kernel void hash(global uint *data) {
  const size_t i = get_global_id(0);
  const uint w0 = data[i], w1 = data[i + 64], w2 = data[i + 128];
  uint a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
  TEN(ROUND)
  data[i] = a + b + c + d;
}

// And here it waits, but is busy, and spills much itself.
kernel void filtered(read_only image2d_t picture, sampler_t sampler, global const float2 *places,
                     global float4 *colors) {
  const size_t i = get_global_id(0);
  colors[i] = read_imagef(picture, sampler, places[i]);
}
