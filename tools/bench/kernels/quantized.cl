// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Multiplies a matrix of quantized weights by a vector, in the block layouts of llama.cpp: 32 weights of a row with a
// scale in half. A sub-group of 16 computes ROWS elements of the result, so that each part of the vector is read once
// for all of them.
#define ROWS 4
#define KERNEL __attribute__((intel_reqd_sub_group_size(16))) kernel void
#define FIRST_ROW ((int)(get_global_id(0) / 16) * ROWS)

// q4_0: a weight is scale * (q - 8). Byte j has weight j in its lower half and weight j + 16 in its upper half.
#define Q4_BYTES 18

// A lane takes half of a block: 8 bytes with 16 weights.
KERNEL q4_0(const global uchar *restrict blocks, const global float *restrict x, global float *restrict y,
            int columns) {
  const int lane = get_sub_group_local_id(), half_of_block = lane % 2, per_row = columns / 32;
  float sums[ROWS] = {};
  for (int i = lane / 2; i < per_row; i += 8) {
    const float8 low = vload8(0, x + i * 32 + half_of_block * 8);
    const float8 high = vload8(0, x + i * 32 + half_of_block * 8 + 16);
    for (int row = 0; row < ROWS; ++row) {
      const global uchar *block = blocks + ((FIRST_ROW + row) * per_row + i) * Q4_BYTES;
      const uchar8 bytes = vload8(0, block + 2 + half_of_block * 8);
      const float8 sum = (convert_float8(bytes & (uchar)15) - 8) * low +
                         (convert_float8(bytes >> (uchar)4) - 8) * high;
      const float4 quarter = sum.lo + sum.hi;
      sums[row] += vload_half(0, (const global half *)block) * (quarter.x + quarter.y + quarter.z + quarter.w);
    }
  }
  for (int row = 0; row < ROWS; ++row) {
    const float total = sub_group_reduce_add(sums[row]);
    if (lane == row)
      y[FIRST_ROW + row] = total;
  }
}

// q8_0: a weight is scale * q.
#define Q8_BYTES 34

// The lanes take neighboring weights of one block.
KERNEL q8_0(const global uchar *restrict blocks, const global float *restrict x, global float *restrict y,
            int columns) {
  const int lane = get_sub_group_local_id(), per_row = columns / 32;
  float sums[ROWS] = {};
  for (int i = 0; i < per_row; ++i) {
    const float first = x[i * 32 + lane], second = x[i * 32 + 16 + lane];
    for (int row = 0; row < ROWS; ++row) {
      const global uchar *block = blocks + ((FIRST_ROW + row) * per_row + i) * Q8_BYTES;
      const global char *weights = (const global char *)block + 2;
      sums[row] += vload_half(0, (const global half *)block) * fma(weights[lane], first, weights[16 + lane] * second);
    }
  }
  for (int row = 0; row < ROWS; ++row) {
    const float total = sub_group_reduce_add(sums[row]);
    if (lane == row)
      y[FIRST_ROW + row] = total;
  }
}
