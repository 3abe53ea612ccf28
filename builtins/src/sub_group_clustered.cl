// Reductions within clusters of 2^k lanes.
//
// With every lane there a butterfly does it. Otherwise a lane's neighbour may have nothing to give, and would not take
// part in the next step either, so each lane collects the active lanes of its cluster one by one.
#include "lane_primitives.h"

static bool allLanesActive(void) { return __lanecl_active_mask() == ~0ul >> (64 - __lanecl_width()); }

#define CLUSTERED(T, name, combine)                                                                                    \
  OVERLOADABLE T sub_group_clustered_reduce_##name(T value, uint size) {                                               \
    uint lane = __lanecl_lane_id();                                                                                    \
    if (allLanesActive()) {                                                                                            \
      for (uint step = 1; step < size; step *= 2)                                                                      \
        value = combine(value, __lanecl_shuffle(value, lane ^ step));                                                  \
      return value;                                                                                                    \
    }                                                                                                                  \
    ulong others = __lanecl_active_mask() & ~(1ul << lane);                                                            \
    T result = value;                                                                                                  \
    for (uint i = 0; i < size; ++i) {                                                                                  \
      uint from = (lane & ~(size - 1)) + i;                                                                            \
      T with_other = combine(result, __lanecl_shuffle(value, from));                                                   \
      result = others >> from & 1 ? with_other : result;                                                               \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define BIT_AND(a, b) ((a) & (b))
#define BIT_OR(a, b) ((a) | (b))
#define BIT_XOR(a, b) ((a) ^ (b))

#define ARITHMETIC(T) CLUSTERED(T, add, SUM) CLUSTERED(T, mul, PRODUCT)
#define BITWISE(T) CLUSTERED(T, and, BIT_AND) CLUSTERED(T, or, BIT_OR) CLUSTERED(T, xor, BIT_XOR)
#define INTEGER_ORDER(T) CLUSTERED(T, min, min) CLUSTERED(T, max, max)
#define FLOAT_ORDER(T) CLUSTERED(T, min, fmin) CLUSTERED(T, max, fmax)
FOR_SCALARS(ARITHMETIC)
FOR_INTEGERS(BITWISE)
FOR_INTEGERS(INTEGER_ORDER)
FOR_FLOATS(FLOAT_ORDER)

#define LOGICAL(op)                                                                                                    \
  OVERLOADABLE int sub_group_clustered_reduce_logical_##op(int value, uint size) {                                     \
    return sub_group_clustered_reduce_##op((int)(value != 0), size);                                                   \
  }
LOGICAL(and)
LOGICAL(or)
LOGICAL(xor)
