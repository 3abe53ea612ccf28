// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Three kernels with one mistake each. Their results are right on most GPUs, so a test that compares results passes.
#define SIZE 16

// Computes the mean of each value and its neighbors. The last work-item reads past the end, but does not use the value.
kernel void smooth(global float *out, global const float *in) {
  size_t i = get_global_id(0), last = get_global_size(0) - 1;
  float left = in[max(i, (size_t)1) - 1], own = in[i];
  float right = in[i + 1]; // BUG: out-of-bounds
  out[i] = (left + own + (i == last ? own : right)) / 3;
}

// Computes the first value of each sub-group, and for every other value its difference to the one before. Lane 1 asks
// for the value of lane 0, which does not reach the shuffle.
__attribute__((intel_reqd_sub_group_size(SIZE)))
kernel void deltas(global float *out, global const float *in) {
  uint lane = get_sub_group_local_id();
  float own = in[get_global_id(0)], delta = own;
  if (lane != 0)
    delta = own - sub_group_shuffle(own, lane - 1); // BUG: lane-not-active
  out[get_global_id(0)] = delta;
}

// Doubles each value. The work-groups have 24 work-items, so the second sub-group of each is half empty. The buffer is
// longer than needed, so that no block read goes past its end.
__attribute__((intel_reqd_sub_group_size(SIZE)))
kernel void twice(global float *out, global const float *in) {
  size_t first = get_group_id(0) * get_local_size(0) + get_sub_group_id() * SIZE;
  float own = as_float(intel_sub_group_block_read((global const uint *)in + first)); // BUG: full-sub-group
  out[first + get_sub_group_local_id()] = 2 * own;
}
