// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds out which memory a generic pointer points to. All address spaces are ordinary memory. Local and private memory
// have the bounds that the scheduler gives, and everything else is global.
#include "lane_primitives.h"

// Whether the pointer is in the memory or just past its end. One comparison is enough: for addresses before the start
// the difference wraps around to a large number.
static bool isIn(const __generic void *p, ulong memory, ulong bytes) { return (ulong)p - memory <= bytes; }
static bool isLocal(const __generic void *p) { return isIn(p, __lanecl_local_memory(), __lanecl_local_bytes()); }
static bool isPrivate(const __generic void *p) { return isIn(p, __lanecl_private_memory(), __lanecl_private_bytes()); }

// Clang calls to_global, to_local and to_private by these names.
__global void *__to_global(__generic void *p) { return isLocal(p) || isPrivate(p) ? 0 : (__global void *)p; }
__local void *__to_local(__generic void *p) { return isLocal(p) ? (__local void *)p : 0; }
__private void *__to_private(__generic void *p) { return isPrivate(p) ? (__private void *)p : 0; }

// Private memory needs no fence, so the larger fence of global memory is correct for it.
OVERLOADABLE cl_mem_fence_flags get_fence(const void *p) {
  return isLocal(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
OVERLOADABLE cl_mem_fence_flags get_fence(void *p) { return get_fence((const void *)p); }
