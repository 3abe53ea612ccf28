// No device of Intel's has sub-groups of seven.

__attribute__((intel_reqd_sub_group_size(7)))
kernel void seven(global int *out) {
  out[get_global_id(0)] = 7;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
