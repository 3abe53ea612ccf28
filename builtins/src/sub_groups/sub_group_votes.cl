// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Votes, ballots and lane masks of sub-groups.
#include "lane_primitives.h"

OVERLOADABLE int sub_group_all(int predicate) { return __lanecl_all(predicate); }
OVERLOADABLE int sub_group_any(int predicate) { return __lanecl_any(predicate); }
OVERLOADABLE int sub_group_non_uniform_all(int predicate) { return __lanecl_all(predicate); }
OVERLOADABLE int sub_group_non_uniform_any(int predicate) { return __lanecl_any(predicate); }

OVERLOADABLE int sub_group_elect(void) { return __lanecl_lane_id() == (uint)ctz(__lanecl_active_mask()); }

#define ALL_EQUAL(T)                                                                                                   \
  OVERLOADABLE int sub_group_non_uniform_all_equal(T value) {                                                          \
    return __lanecl_all(value == __lanecl_broadcast_first(value));                                                     \
  }
FOR_SCALARS(ALL_EQUAL)

// Returns a mask of the lowest `count` bits, at most 64.
static ulong lowBits(uint count) { return count >= 64 ? ~0ul : (1ul << count) - 1; }
static uint4 toBallot(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
static ulong toBits(uint4 ballot) {
  return (ballot.x | (ulong)ballot.y << 32) & lowBits(__lanecl_width());
}

OVERLOADABLE uint4 sub_group_ballot(int predicate) { return toBallot(__lanecl_ballot(predicate)); }
OVERLOADABLE int sub_group_inverse_ballot(uint4 value) { return toBits(value) >> __lanecl_lane_id() & 1; }
OVERLOADABLE int sub_group_ballot_bit_extract(uint4 value, uint index) { return toBits(value) >> (index & 63) & 1; }

OVERLOADABLE uint sub_group_ballot_bit_count(uint4 value) { return popcount(toBits(value)); }
OVERLOADABLE uint sub_group_ballot_inclusive_scan(uint4 value) {
  return popcount(toBits(value) & lowBits(__lanecl_lane_id() + 1));
}
OVERLOADABLE uint sub_group_ballot_exclusive_scan(uint4 value) {
  return popcount(toBits(value) & lowBits(__lanecl_lane_id()));
}
OVERLOADABLE uint sub_group_ballot_find_lsb(uint4 value) { return ctz(toBits(value)); }
OVERLOADABLE uint sub_group_ballot_find_msb(uint4 value) { return 63 - clz(toBits(value)); }

OVERLOADABLE uint4 get_sub_group_eq_mask(void) { return toBallot(1ul << __lanecl_lane_id()); }
OVERLOADABLE uint4 get_sub_group_lt_mask(void) { return toBallot(lowBits(__lanecl_lane_id())); }
OVERLOADABLE uint4 get_sub_group_le_mask(void) { return toBallot(lowBits(__lanecl_lane_id() + 1)); }
// The masks ge and gt extend to the maximum sub-group size, also in a partial sub-group.
OVERLOADABLE uint4 get_sub_group_ge_mask(void) {
  return toBallot(lowBits(__lanecl_width()) & ~lowBits(__lanecl_lane_id()));
}
OVERLOADABLE uint4 get_sub_group_gt_mask(void) {
  return toBallot(lowBits(__lanecl_width()) & ~lowBits(__lanecl_lane_id() + 1));
}
