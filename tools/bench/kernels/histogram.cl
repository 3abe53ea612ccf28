// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each work-group counts in local memory and adds its counts to the global ones at the end.
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(const global uchar *restrict values, uint count, global uint *bins) {
  local uint counts[256];
  const uint local_id = get_local_id(0);
  counts[local_id] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    atomic_inc(&counts[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[local_id], counts[local_id]);
}
