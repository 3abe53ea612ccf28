// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
kernel void k(global int *p) {
  p[get_global_id(0)] = intel_sub_group_shuffle(1, 40);
}
