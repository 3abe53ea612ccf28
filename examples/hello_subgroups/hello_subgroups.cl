// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each work-item records the number of its sub-group, its lane in it, and the number of work-items in the sub-group.
// The host asks for a sub-group size with -DWIDTH=8, 16 or 32. Without it the device chooses.
#ifdef WIDTH
__attribute__((intel_reqd_sub_group_size(WIDTH)))
#endif
kernel void hello_subgroups(global uint4 *place) {
  place[get_global_linear_id()] =
      (uint4)(get_sub_group_id(), get_sub_group_local_id(), get_sub_group_size(), get_num_sub_groups());
}
