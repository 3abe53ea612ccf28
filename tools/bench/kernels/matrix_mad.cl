// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// C = A x B for matrices of bfloat16 and of 8-bit integers. They have n rows and columns; rows are `pitch` elements
// apart. One version uses the matrix multiply-accumulate functions of sub-groups, the other ordinary arithmetic. A
// sub-group of 16 computes TILE_ROWS * 8 rows of TILE_COLUMNS * 16 columns.
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < (count); ++i)
#define ROW (get_group_id(1) * TILE_ROWS * 8)
#define COLUMN (get_group_id(0) * TILE_COLUMNS * 16)
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1)))

#ifdef cl_intel_subgroup_2d_block_io
// Each iteration takes `depth` elements of the rows of A and of the columns of B.
#define BY_MATRICES(name, T, bytes, sum, depth, read_rows, read_columns, multiply_add)                                 \
  SUB_GROUPS kernel void name(global T *a, global T *b, global sum *c, int n, int pitch) {                             \
    const int row = ROW, column = COLUMN;                                                                              \
    sum##8 sums[TILE_ROWS][TILE_COLUMNS];                                                                              \
    EACH(i, TILE_ROWS) EACH(j, TILE_COLUMNS) sums[i][j] = 0;                                                           \
    for (int k = 0; k < n; k += depth) {                                                                               \
      short8 rows[TILE_ROWS];                                                                                          \
      int8 columns[TILE_COLUMNS];                                                                                      \
      EACH(i, TILE_ROWS)                                                                                               \
      read_rows(a, n * bytes, n, pitch * bytes, (int2)(k, row + 8 * i), (private ushort *)&rows[i]);                   \
      EACH(j, TILE_COLUMNS)                                                                                            \
      read_columns(b, n * bytes, n, pitch * bytes, (int2)(column + 16 * j, k), (private uint *)&columns[j]);           \
      EACH(i, TILE_ROWS) EACH(j, TILE_COLUMNS) sums[i][j] = multiply_add(rows[i], columns[j], sums[i][j]);             \
    }                                                                                                                  \
    EACH(i, TILE_ROWS)                                                                                                 \
    EACH(j, TILE_COLUMNS)                                                                                              \
    intel_sub_group_2d_block_write_32b_8r16x1c(c, n * 4, n, pitch * 4, (int2)(column + 16 * j, row + 8 * i),           \
                                               (private uint *)&sums[i][j]);                                           \
  }
BY_MATRICES(bf16_matrices, ushort, 2, float, 16, intel_sub_group_2d_block_read_16b_8r16x1c,
            intel_sub_group_2d_block_read_transform_16b_16r16x1c, intel_sub_group_bf16_bf16_matrix_mad_k16)
BY_MATRICES(int8_matrices, char, 1, int, 32, intel_sub_group_2d_block_read_8b_8r32x1c,
            intel_sub_group_2d_block_read_transform_8b_32r16x1c, intel_sub_group_i8_i8_matrix_mad_k32)
#endif

#define WIDEN_BF16(x) as_float((uint)(x) << 16)
#define WIDEN_INT8(x) ((int)(x))
#define ADD_BF16(a, b, sum) fma(a, b, sum)
#define ADD_INT8(a, b, sum) ((sum) + (a) * (b))
#define BY_ELEMENTS(name, T, sum, WIDEN, ADD)                                                                          \
  SUB_GROUPS kernel void name(global const T *a, global const T *b, global sum *c, int n, int pitch) {                 \
    const int row = ROW, column = COLUMN + get_local_id(0);                                                            \
    sum sums[TILE_ROWS * 8][TILE_COLUMNS];                                                                             \
    EACH(i, TILE_ROWS * 8) EACH(j, TILE_COLUMNS) sums[i][j] = 0;                                                       \
    for (int k = 0; k < n; ++k) {                                                                                      \
      sum columns[TILE_COLUMNS];                                                                                       \
      EACH(j, TILE_COLUMNS) columns[j] = WIDEN(b[k * pitch + column + 16 * j]);                                        \
      EACH(i, TILE_ROWS * 8) {                                                                                         \
        const sum element = WIDEN(a[(row + i) * pitch + k]);                                                           \
        EACH(j, TILE_COLUMNS) sums[i][j] = ADD(element, columns[j], sums[i][j]);                                       \
      }                                                                                                                \
    }                                                                                                                  \
    EACH(i, TILE_ROWS * 8) EACH(j, TILE_COLUMNS) c[(row + i) * pitch + column + 16 * j] = sums[i][j];                  \
  }
BY_ELEMENTS(bf16_elements, ushort, float, WIDEN_BF16, ADD_BF16)
BY_ELEMENTS(int8_elements, char, int, WIDEN_INT8, ADD_INT8)
