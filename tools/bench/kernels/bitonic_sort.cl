// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bitonic sort. Sequences of up to 512 keys are merged in local memory, longer ones step by step in global memory. A
// work-item orders one pair of keys, which are `distance` apart; `length` is the length of the sequences that are being
// merged.
#define BLOCK 512
#define KERNEL __attribute__((reqd_work_group_size(BLOCK / 2, 1, 1))) kernel void

void order(uint *low, uint *high, uint is_descending) {
  const uint a = *low, b = *high;
  *low = is_descending ? max(a, b) : min(a, b);
  *high = is_descending ? min(a, b) : max(a, b);
}

uint indexOfPair(uint pair, uint distance) { return 2 * pair - (pair & (distance - 1)); }

void mergeBlock(local uint *keys, uint length, uint is_descending) {
  for (uint distance = length / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint i = indexOfPair(get_local_id(0), distance);
    uint low = keys[i], high = keys[i + distance];
    order(&low, &high, is_descending);
    keys[i] = low;
    keys[i + distance] = high;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

void loadBlock(local uint *keys, const global uint *block) {
  for (uint i = get_local_id(0); i < BLOCK; i += BLOCK / 2)
    keys[i] = block[i];
}

void storeBlock(const local uint *keys, global uint *block) {
  for (uint i = get_local_id(0); i < BLOCK; i += BLOCK / 2)
    block[i] = keys[i];
}

KERNEL sort_blocks(global uint *all) {
  local uint keys[BLOCK];
  global uint *block = all + get_group_id(0) * BLOCK;
  loadBlock(keys, block);
  for (uint length = 2; length <= BLOCK; length *= 2)
    mergeBlock(keys, length, ((uint)get_global_id(0) & (length / 2)) != 0);
  storeBlock(keys, block);
}

KERNEL merge_blocks(global uint *all, uint length) {
  local uint keys[BLOCK];
  global uint *block = all + get_group_id(0) * BLOCK;
  loadBlock(keys, block);
  mergeBlock(keys, BLOCK, ((uint)get_global_id(0) & (length / 2)) != 0);
  storeBlock(keys, block);
}

KERNEL merge_step(global uint *all, uint length, uint distance) {
  const uint pair = get_global_id(0), i = indexOfPair(pair, distance);
  uint low = all[i], high = all[i + distance];
  order(&low, &high, (pair & (length / 2)) != 0);
  all[i] = low;
  all[i + distance] = high;
}
