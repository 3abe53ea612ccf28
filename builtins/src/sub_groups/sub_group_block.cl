// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads, writes and prefetches of buffers and local memory.
#include "lane_primitives.h"

#define BLOCK(AS, T, name, suffix, n)                                                                                  \
  OVERLOADABLE T##n intel_sub_group_block_read##name##n(const AS T *p) {                                               \
    return __lanecl_block_read_##suffix##n(p);                                                                         \
  }                                                                                                                    \
  OVERLOADABLE void intel_sub_group_block_write##name##n(AS T *p, T##n data) {                                         \
    __lanecl_block_write_##suffix##n(p, data);                                                                         \
  }
#define COUNTS(AS, T, name, suffix)                                                                                    \
  BLOCK(AS, T, name, suffix, )                                                                                         \
  BLOCK(AS, T, name, suffix, 2)                                                                                        \
  BLOCK(AS, T, name, suffix, 4) BLOCK(AS, T, name, suffix, 8) BLOCK(AS, T, name, suffix, 16)
#define COMPONENTS(AS)                                                                                                 \
  COUNTS(AS, uint, , ui)                                                                                               \
  COUNTS(AS, uint, _ui, ui) COUNTS(AS, uchar, _uc, uc) COUNTS(AS, ushort, _us, us) COUNTS(AS, ulong, _ul, ul)
COMPONENTS(__global)
COMPONENTS(__local)

// Prefetches the start of each component's row of W elements. Processors prefetch the rest of a longer row on their
// own.
#define PREFETCH(T, suffix, n, count)                                                                                  \
  OVERLOADABLE void intel_sub_group_block_prefetch_##suffix##n(const __global T *p) {                                  \
    for (uint i = 0; i < count; ++i)                                                                                   \
      __builtin_prefetch(&p[i * __lanecl_width()]);                                                                    \
  }
#define PREFETCHES(T, suffix)                                                                                          \
  PREFETCH(T, suffix, , 1)                                                                                             \
  PREFETCH(T, suffix, 2, 2) PREFETCH(T, suffix, 4, 4) PREFETCH(T, suffix, 8, 8) PREFETCH(T, suffix, 16, 16)
PREFETCHES(uchar, uc)
PREFETCHES(ushort, us)
PREFETCHES(uint, ui)
PREFETCHES(ulong, ul)
