// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Transposes through local memory, so that both reads and writes are contiguous. The additional column avoids bank
// conflicts on GPUs.
#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(const global float *restrict in, global float *restrict out, int width, int height) {
  local float tile[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = in[(row + y) * width + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * height + row + x] = tile[x][y];
}
