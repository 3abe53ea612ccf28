// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every work-item notes which sub-group it is in, which lane of it, and how many work-items the sub-group has.
// The host asks for a width with -DWIDTH=8, 16 or 32; without it the device chooses.
#ifdef WIDTH
__attribute__((intel_reqd_sub_group_size(WIDTH)))
#endif
kernel void hello_subgroups(global uint4 *place) {
  place[get_global_linear_id()] =
      (uint4)(get_sub_group_id(), get_sub_group_local_id(), get_sub_group_size(), get_num_sub_groups());
}
