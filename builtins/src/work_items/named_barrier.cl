// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Named barriers of SPIR-V (cl_khr_subgroup_named_barrier), for which OpenCL C has no functions. A sub-group that waits
// is suspended, as in every loop that ends when another sub-group writes something, so the other sub-groups of the
// work-group continue.
#include "lane_primitives.h"

// How many sub-groups meet, how many have arrived, and how often all have met.
typedef struct {
  uint sub_groups;
  atomic_uint arrived, meetings;
} NamedBarrier;

OVERLOADABLE __local uchar *__lanecl_named_barrier_memory(uint bytes);
PURE __local uchar *__lanecl_broadcast_first(__local uchar *value);

// Makes a barrier in local memory. All sub-groups come here before one continues, so none is still waiting at a barrier
// that used this memory before.
OVERLOADABLE __local uchar *__lanecl_named_barrier_initialize(uint sub_groups) {
  __local uchar *memory = __lanecl_named_barrier_memory(sizeof(NamedBarrier));
  __local NamedBarrier *barrier = (__local NamedBarrier *)memory;
  if (__lanecl_sub_group_id() == 0 && __lanecl_lane_id() == 0) {
    barrier->sub_groups = sub_groups;
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->meetings, 0);
  }
  __lanecl_work_group_barrier(CLK_LOCAL_MEM_FENCE);
  return memory;
}

// Reads the number of meetings, which is the same for all lanes.
static uint meetingsOf(__local NamedBarrier *barrier) {
  return __lanecl_broadcast_first(
      atomic_load_explicit(&barrier->meetings, memory_order_relaxed, memory_scope_work_group));
}

// Counts the arrival of a sub-group. The last one to arrive resets the count and starts the next meeting.
static void arrive(__local NamedBarrier *barrier, uint meetings) {
  const uint before = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_relaxed, memory_scope_work_group);
  if (before + 1 != barrier->sub_groups)
    return;
  atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed, memory_scope_work_group);
  atomic_store_explicit(&barrier->meetings, meetings + 1, memory_order_relaxed, memory_scope_work_group);
}

// Waits until all sub-groups have arrived. One lane arrives for its sub-group, and all lanes wait.
OVERLOADABLE void __lanecl_named_barrier_wait(__local uchar *memory) {
  __local NamedBarrier *barrier = (__local NamedBarrier *)__lanecl_broadcast_first(memory);
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __lanecl_sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint meetings = meetingsOf(barrier);
  if (__lanecl_lane_id() == (uint)ctz(__lanecl_active_mask()))
    arrive(barrier, meetings);
  while (meetingsOf(barrier) == meetings) {
  }
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
