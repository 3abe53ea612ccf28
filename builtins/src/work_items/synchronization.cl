// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Barriers and fences. Lanes of a sub-group run in lock-step, and only one thread runs a work-group at a time. So only
// the compiler can reorder memory accesses between the work-items of a work-group. Fences order accesses for other
// threads.
#include "lane_primitives.h"

OVERLOADABLE void barrier(cl_mem_fence_flags flags) { __lanecl_work_group_barrier(flags); }
OVERLOADABLE void work_group_barrier(cl_mem_fence_flags flags) { __lanecl_work_group_barrier(flags); }
OVERLOADABLE void sub_group_barrier(cl_mem_fence_flags flags) { __lanecl_sub_group_barrier(flags); }

// Emits a fence. The order is usually known after inlining, so one case is left.
static void fence(memory_order order) {
  switch (order) {
  case memory_order_relaxed:
    return;
  case memory_order_acquire:
    return __atomic_thread_fence(__ATOMIC_ACQUIRE);
  case memory_order_release:
    return __atomic_thread_fence(__ATOMIC_RELEASE);
  case memory_order_acq_rel:
    return __atomic_thread_fence(__ATOMIC_ACQ_REL);
  default:
    return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

// Work-items outside the work-group are other threads, so a wider scope needs fences around the barrier.
OVERLOADABLE void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope > memory_scope_work_group)
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __lanecl_work_group_barrier(flags);
  if (scope > memory_scope_work_group)
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

OVERLOADABLE void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  if (scope > memory_scope_work_group)
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __lanecl_sub_group_barrier(flags);
}

OVERLOADABLE void mem_fence(cl_mem_fence_flags flags) { fence(memory_order_acq_rel); }
OVERLOADABLE void read_mem_fence(cl_mem_fence_flags flags) { fence(memory_order_acquire); }
OVERLOADABLE void write_mem_fence(cl_mem_fence_flags flags) { fence(memory_order_release); }

// A work-item always sees its own accesses in order.
OVERLOADABLE void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  if (scope != memory_scope_work_item)
    fence(order);
}

// cl_intel_split_work_group_barrier: arriving is only a fence, and waiting is a complete barrier.
OVERLOADABLE void intel_work_group_barrier_arrive(cl_mem_fence_flags flags) { fence(memory_order_release); }
OVERLOADABLE void intel_work_group_barrier_wait(cl_mem_fence_flags flags) { __lanecl_work_group_barrier(flags); }
OVERLOADABLE void intel_work_group_barrier_arrive(cl_mem_fence_flags flags, memory_scope scope) {
  fence(memory_order_release);
}
OVERLOADABLE void intel_work_group_barrier_wait(cl_mem_fence_flags flags, memory_scope scope) {
  work_group_barrier(flags, scope);
}
