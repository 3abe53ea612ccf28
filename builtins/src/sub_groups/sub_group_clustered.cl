// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions within clusters of 2^k lanes.
#include "lane_primitives.h"

#define CLUSTERED(T, name, primitive)                                                                                  \
  OVERLOADABLE T sub_group_clustered_reduce_##name(T value, uint size) {                                               \
    return __lanecl_clustered_reduce_##primitive(value, size);                                                         \
  }

#define ARITHMETIC(T) CLUSTERED(T, add, add) CLUSTERED(T, mul, mul)
#define BITWISE(T) CLUSTERED(T, and, and) CLUSTERED(T, or, or) CLUSTERED(T, xor, xor)
#define SIGNED(T) CLUSTERED(T, min, smin) CLUSTERED(T, max, smax)
#define UNSIGNED(T) CLUSTERED(T, min, umin) CLUSTERED(T, max, umax)
#define FLOAT(T) CLUSTERED(T, min, fmin) CLUSTERED(T, max, fmax)
FOR_SCALARS(ARITHMETIC)
FOR_INTEGERS(BITWISE)
FOR_SIGNED(SIGNED)
FOR_UNSIGNED(UNSIGNED)
FOR_FLOATS(FLOAT)

#define LOGICAL(op)                                                                                                    \
  OVERLOADABLE int sub_group_clustered_reduce_logical_##op(int value, uint size) {                                     \
    return __lanecl_clustered_reduce_##op((int)(value != 0), size);                                                    \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
