// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that return values of other lanes: broadcasts, shuffles and rotations.
#include "lane_primitives.h"

// `lane` must be the same for all active lanes. "Non-uniform" means that some work-items may not reach the call, which
// the primitive always allows.
#define BROADCAST(T)                                                                                                   \
  OVERLOADABLE T sub_group_broadcast(T value, uint lane) { return __lanecl_broadcast(value, lane); }                   \
  OVERLOADABLE T intel_sub_group_broadcast(T value, uint lane) { return __lanecl_broadcast(value, lane); }             \
  OVERLOADABLE T sub_group_non_uniform_broadcast(T value, uint lane) { return __lanecl_broadcast(value, lane); }
FOR_EVERY_TYPE(BROADCAST)

// The primitives take the number of the lane modulo W, so rotations need no more. A shuffle from outside the sub-group
// returns an undefined value.
#define EXCHANGE(T)                                                                                                    \
  OVERLOADABLE T sub_group_broadcast_first(T value) { return __lanecl_broadcast_first(value); }                        \
  OVERLOADABLE T sub_group_shuffle(T value, uint lane) { return __lanecl_shuffle(value, lane); }                       \
  OVERLOADABLE T sub_group_shuffle_xor(T value, uint mask) {                                                           \
    return __lanecl_shuffle(value, __lanecl_lane_id() ^ mask);                                                         \
  }                                                                                                                    \
  OVERLOADABLE T sub_group_shuffle_up(T value, uint delta) {                                                           \
    return __lanecl_shuffle(value, __lanecl_lane_id() - delta);                                                        \
  }                                                                                                                    \
  OVERLOADABLE T sub_group_shuffle_down(T value, uint delta) {                                                         \
    return __lanecl_shuffle(value, __lanecl_lane_id() + delta);                                                        \
  }                                                                                                                    \
  OVERLOADABLE T sub_group_rotate(T value, int delta) {                                                                \
    return __lanecl_shuffle(value, __lanecl_lane_id() + (uint)delta);                                                  \
  }                                                                                                                    \
  OVERLOADABLE T sub_group_clustered_rotate(T value, int delta, uint size) {                                           \
    uint lane = __lanecl_lane_id();                                                                                    \
    return __lanecl_shuffle(value, (lane & ~(size - 1)) | ((lane + (uint)delta) & (size - 1)));                        \
  }
FOR_SCALARS(EXCHANGE)

// The forms with two values select from 2 W values: `previous` is before lane 0, and `next` is after lane W - 1.
#define INTEL_SHUFFLE(T)                                                                                               \
  OVERLOADABLE T intel_sub_group_shuffle(T value, uint lane) { return __lanecl_shuffle(value, lane); }                 \
  OVERLOADABLE T intel_sub_group_shuffle_xor(T value, uint mask) {                                                     \
    return __lanecl_shuffle(value, __lanecl_lane_id() ^ mask);                                                         \
  }                                                                                                                    \
  OVERLOADABLE T intel_sub_group_shuffle_down(T current, T next, uint delta) {                                         \
    return __lanecl_shuffle2(current, next, __lanecl_lane_id() + delta);                                               \
  }                                                                                                                    \
  OVERLOADABLE T intel_sub_group_shuffle_up(T previous, T current, uint delta) {                                       \
    return __lanecl_shuffle2(previous, current, __lanecl_width() + __lanecl_lane_id() - delta);                        \
  }
FOR_EVERY_TYPE(INTEL_SHUFFLE)
