// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes C = A x B in single precision, row-major, in Intel's style: sub-groups of 16, block reads, broadcasts.
//
// A work-group is one sub-group and computes TILE_ROWS rows of 16 * TILE_COLUMNS columns. Every lane holds the sums of
// its own columns. A is read 16 elements of a row at a time, one in each lane, and distributed by broadcasts. The host
// chooses the tile (-DTILE_ROWS, -DTILE_COLUMNS) and pads the matrices: the rows of A and the columns of B to whole
// tiles, and the columns of A to a multiple of 16.

float readBlock(const global float *p) { return as_float(intel_sub_group_block_read((const global uint *)p)); }

void writeBlock(global float *p, float value) { intel_sub_group_block_write((global uint *)p, as_uint(value)); }

// `depth` is the number of columns of A. A pitch is the distance between two rows in elements.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void sgemm(const global float *restrict a, const global float *restrict b, global float *restrict c, int depth,
                  int a_pitch, int b_pitch, int c_pitch) {
  // Neighboring work-groups share the columns of B, which stay in the cache.
  const int row = get_group_id(0) * TILE_ROWS;
  const int column = get_group_id(1) * 16 * TILE_COLUMNS;
  a += row * a_pitch;
  b += column;
  c += row * c_pitch + column;

  const global float *b_next = b; // one pointer that advances by rows needs fewer registers than sixteen pointers
  float sums[TILE_ROWS][TILE_COLUMNS] = {};
  for (int k = 0; k < depth; k += 16) {
    float a_block[TILE_ROWS];
    #pragma unroll
    for (int m = 0; m < TILE_ROWS; ++m)
      a_block[m] = readBlock(a + m * a_pitch + k);
    #pragma unroll
    for (int lane = 0; lane < 16; ++lane) {
      float b_row[TILE_COLUMNS];
      #pragma unroll
      for (int n = 0; n < TILE_COLUMNS; ++n)
        b_row[n] = readBlock(b_next + 16 * n);
      #pragma unroll
      for (int m = 0; m < TILE_ROWS; ++m) {
        const float a_element = sub_group_broadcast(a_block[m], lane);
        #pragma unroll
        for (int n = 0; n < TILE_COLUMNS; ++n)
          sums[m][n] = fma(a_element, b_row[n], sums[m][n]);
      }
      b_next += b_pitch;
    }
  }
  #pragma unroll
  for (int m = 0; m < TILE_ROWS; ++m)
    #pragma unroll
    for (int n = 0; n < TILE_COLUMNS; ++n)
      writeBlock(c + m * c_pitch + 16 * n, sums[m][n]);
}
