// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The kernel that process-start builds and launches once.
kernel void k(global uint *out, global const uint *in) {
  const size_t i = get_global_id(0);
  out[i] = in[i] + i;
}
