// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = A x B as tutorials write it: work-groups of TILE x TILE work-items copy tiles of A and B to local memory, with
// barriers between.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sgemm_local(const global float *restrict a, const global float *restrict b, global float *restrict c, int n,
                 int depth) {
  local float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < depth; k += TILE) {
    a_tile[y][x] = a[row * depth + k + x];
    b_tile[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum = fma(a_tile[y][i], b_tile[i][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
