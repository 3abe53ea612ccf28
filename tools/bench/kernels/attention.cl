// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes softmax(Q K^T / sqrt(DIM)) V without storing the matrix in between. A work-item has one query and goes
// through tiles of keys and values in local memory. When a tile has a larger score than all before it, the sums so far
// are scaled down.
#define DIM 32
#define TILE 32
#define GROUP 64

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void attention(const global float *restrict queries, const global float *restrict keys,
               const global float *restrict values, global float *restrict result, int count, float scale) {
  local float key_tile[TILE][DIM], value_tile[TILE][DIM];
  const int query = get_global_id(0), head = get_group_id(1);
  const int offset = head * count * DIM;
  float q[DIM], sums[DIM];
  for (int d = 0; d < DIM; ++d) {
    q[d] = queries[offset + query * DIM + d] * scale;
    sums[d] = 0;
  }
  float largest = -INFINITY, total = 0;
  for (int first = 0; first < count; first += TILE) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < TILE * DIM; i += GROUP) {
      key_tile[i / DIM][i % DIM] = keys[offset + first * DIM + i];
      value_tile[i / DIM][i % DIM] = values[offset + first * DIM + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float scores[TILE], larger = largest;
    for (int j = 0; j < TILE; ++j) {
      float score = 0;
      for (int d = 0; d < DIM; ++d)
        score = fma(q[d], key_tile[j][d], score);
      scores[j] = score;
      larger = fmax(larger, score);
    }
    const float correction = exp(largest - larger);
    largest = larger;
    total *= correction;
    for (int d = 0; d < DIM; ++d)
      sums[d] *= correction;
    for (int j = 0; j < TILE; ++j) {
      const float weight = exp(scores[j] - largest);
      total += weight;
      for (int d = 0; d < DIM; ++d)
        sums[d] = fma(weight, value_tile[j][d], sums[d]);
    }
  }
  for (int d = 0; d < DIM; ++d)
    result[offset + query * DIM + d] = sums[d] / total;
}
