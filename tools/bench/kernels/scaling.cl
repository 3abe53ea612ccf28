// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels with little work for each work-item, so that the cost of everything else shows.
kernel void each(const global float *restrict in, global float *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = 2 * in[i] + 1;
}

kernel void each_byte(const global uchar *restrict in, global uchar *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[i] ^ 0x5a;
}

// Reverses the elements of each work-group.
kernel void reverse(const global float *restrict in, global float *restrict out, local float *tile) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[get_local_size(0) - 1 - l];
}

// Works without memory: two hundred steps of a random number generator. A compiler cannot shorten them, as it could if
// a step were a product and a sum.
kernel void steps(const global uint *restrict in, global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint x = in[i];
  for (int step = 0; step < 200; ++step)
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  out[i] = x;
}
