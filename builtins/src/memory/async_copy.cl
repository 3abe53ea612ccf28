// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies between global and local memory. The work-items of the group share the elements, and waiting is a barrier.
#include "lane_primitives.h"

static size_t groupSize(void) { return __lanecl_local_size(0) * __lanecl_local_size(1) * __lanecl_local_size(2); }

#define FOR_SHARED_ELEMENTS(i, count)                                                                                  \
  for (size_t i = get_local_linear_id(), group_size = groupSize(); i < (count); i += group_size)

#define COPY(T, TO, FROM)                                                                                              \
  OVERLOADABLE event_t async_work_group_copy(TO T *to, const FROM T *from, size_t count, event_t event) {              \
    FOR_SHARED_ELEMENTS(i, count) to[i] = from[i];                                                                     \
    return event;                                                                                                      \
  }
#define COPIES(T) COPY(T, __local, __global) COPY(T, __global, __local)
FOR_EVERY_TYPE(COPIES)

// The stride applies to the side in global memory.
#define STRIDED_COPIES(T)                                                                                              \
  OVERLOADABLE event_t async_work_group_strided_copy(__local T *to, const __global T *from, size_t count,              \
                                                     size_t stride, event_t event) {                                   \
    FOR_SHARED_ELEMENTS(i, count) to[i] = from[i * stride];                                                            \
    return event;                                                                                                      \
  }                                                                                                                    \
  OVERLOADABLE event_t async_work_group_strided_copy(__global T *to, const __local T *from, size_t count,              \
                                                     size_t stride, event_t event) {                                   \
    FOR_SHARED_ELEMENTS(i, count) to[i * stride] = from[i];                                                            \
    return event;                                                                                                      \
  }
FOR_EVERY_TYPE(STRIDED_COPIES)

OVERLOADABLE void wait_group_events(int count, __private event_t *events) {
  __lanecl_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
OVERLOADABLE void wait_group_events(int count, event_t *events) {
  __lanecl_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

// Prefetching is a hint. It does nothing, because processors prefetch consecutive elements on their own.
#define PREFETCH(T)                                                                                                    \
  OVERLOADABLE void prefetch(const __global T *p, size_t count) {}
FOR_EVERY_TYPE(PREFETCH)
