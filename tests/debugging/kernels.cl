// stop_in_kernel.sh stops in these kernels. It finds the lines by their comments.
kernel void scale(global float *data, float factor) {
  size_t i = get_global_id(0);
  float value = data[i];
  value = value * factor + 1.0f; // line: without barrier
  data[i] = value;
}

kernel void reverse_group(global float *data, float factor) {
  local float group[64];
  size_t l = get_local_id(0);
  float value = data[get_global_id(0)];
  group[l] = value * factor; // line: before barrier
  barrier(CLK_LOCAL_MEM_FENCE);
  float other = group[get_local_size(0) - 1 - l]; // line: after barrier
  data[get_global_id(0)] = other + 1.0f;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
