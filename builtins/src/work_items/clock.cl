// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_kernel_clock. The processor's time stamp counter has a constant rate and is the same for all cores, so all
// scopes have the same clock.
#include "lane_primitives.h"

#define CLOCK(scope)                                                                                                   \
  OVERLOADABLE ulong clock_read_##scope(void) {                                                                        \
    return __lanecl_clock();                                                                                           \
  }                                                                                                                    \
  OVERLOADABLE uint2 clock_read_hilo_##scope(void) {                                                                   \
    return as_uint2(__lanecl_clock());                                                                                 \
  }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
