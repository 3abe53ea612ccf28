// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One pass of a radix sort by four bits, and a stable selection of values, both by ballots. A sub-group of 16 takes
// CHUNK values. Both algorithms count in each chunk, turn the counts into places by a prefix sum, and write.
#define CHUNK 1024
#define KERNEL __attribute__((intel_reqd_sub_group_size(16))) kernel void
#define CHUNK_ID ((uint)(get_global_id(0) / 16))
#define CHUNKS ((uint)(get_global_size(0) / 16))

// Returns a mask of the lanes whose digit is `digit`.
uint lanesWith(uint4 ballots, uint digit) {
  const uint4 wanted = (uint4)(digit & 1, digit >> 1 & 1, digit >> 2 & 1, digit >> 3 & 1);
  const uint4 lanes = ballots ^ (wanted - 1); // inverts the ballots of the bits that are to be 0
  return lanes.x & lanes.y & lanes.z & lanes.w & 0xffff;
}

uint4 ballotsOf(uint digit) {
  return (uint4)(sub_group_ballot(digit & 1).x, sub_group_ballot(digit & 2).x, sub_group_ballot(digit & 4).x,
                 sub_group_ballot(digit & 8).x);
}

// Counts how often each digit occurs in a chunk. Each lane counts the digit that equals its number.
KERNEL radix_count(const global uint *restrict keys, global uint *restrict counts, uint shift) {
  const uint lane = get_sub_group_local_id();
  const global uint *chunk = keys + CHUNK_ID * CHUNK;
  uint count = 0;
  for (uint i = 0; i < CHUNK; i += 16)
    count += popcount(lanesWith(ballotsOf(chunk[i + lane] >> shift), lane));
  counts[lane * CHUNKS + CHUNK_ID] = count;
}

KERNEL radix_scatter(const global uint *restrict keys, const global uint *restrict places, global uint *restrict sorted,
                     uint shift) {
  const uint lane = get_sub_group_local_id();
  const global uint *chunk = keys + CHUNK_ID * CHUNK;
  uint next = places[lane * CHUNKS + CHUNK_ID];
  for (uint i = 0; i < CHUNK; i += 16) {
    const uint key = chunk[i + lane], digit = key >> shift & 15;
    const uint4 ballots = ballotsOf(digit);
    const uint before = popcount(lanesWith(ballots, digit) & ((1u << lane) - 1));
    sorted[sub_group_shuffle(next, digit) + before] = key;
    next += popcount(lanesWith(ballots, lane));
  }
}

KERNEL keep_count(const global uint *restrict values, global uint *restrict counts, uint limit) {
  const uint lane = get_sub_group_local_id();
  const global uint *chunk = values + CHUNK_ID * CHUNK;
  uint count = 0;
  for (uint i = 0; i < CHUNK; i += 16)
    count += popcount(sub_group_ballot(chunk[i + lane] < limit).x);
  if (lane == 0)
    counts[CHUNK_ID] = count;
}

KERNEL keep_write(const global uint *restrict values, const global uint *restrict places, global uint *restrict kept,
                  uint limit) {
  const uint lane = get_sub_group_local_id();
  const global uint *chunk = values + CHUNK_ID * CHUNK;
  uint next = places[CHUNK_ID];
  for (uint i = 0; i < CHUNK; i += 16) {
    const uint value = chunk[i + lane];
    const uint4 ballot = sub_group_ballot(value < limit);
    if (value < limit)
      kept[next + sub_group_ballot_exclusive_scan(ballot)] = value;
    next += popcount(ballot.x);
  }
}

// Replaces each count by the sum of all counts before it, which is the first place for its values. Runs in one
// sub-group.
KERNEL places_of(global uint *counts, uint count) {
  uint start = 0;
  for (uint i = get_sub_group_local_id(); i < count; i += 16) {
    const uint value = counts[i];
    counts[i] = start + sub_group_scan_exclusive_add(value);
    start += sub_group_reduce_add(value);
  }
}
