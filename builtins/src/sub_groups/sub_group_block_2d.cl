// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_intel_subgroup_2d_block_io: sub-groups of 16 read, write and prefetch blocks of rows of a surface.
//
// All arguments but the data must be the same for all lanes. A block inside the surface is accessed with one vector
// access per row, unrolled so that the values stay in registers. Blocks at the edges of the surface are rare: a loop
// over the rows limits each access to the elements inside the surface, and collects the values in memory.
#include "lane_primitives.h"

typedef struct {
  // The address of the block's first element, which may be outside the surface.
  __global uchar *origin;
  long x, y; // the block's position in the surface, in bytes and rows
  long width, height, pitch; // of the surface: width in bytes, height in rows, pitch in bytes
} Surface;

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS Surface surfaceAt(__global void *base, int width, int height, int pitch, int2 coord, uint element_bytes) {
  Surface s;
  s.width = __lanecl_broadcast_first(width);
  s.height = __lanecl_broadcast_first(height);
  s.pitch = __lanecl_broadcast_first(pitch);
  s.x = (long)__lanecl_broadcast_first(coord.x) * element_bytes;
  s.y = __lanecl_broadcast_first(coord.y);
  s.origin = __lanecl_broadcast_first((__global uchar *)base) + s.y * s.pitch + s.x;
  return s;
}

// Whether the whole block is inside the surface.
ALWAYS bool contains(Surface s, uint row_bytes, uint rows) {
  return s.x >= 0 && s.x + row_bytes <= s.width && s.y >= 0 && s.y + rows <= s.height;
}

// The elements of one row of the block that are inside the surface: the address of the first one, and their range.
typedef struct {
  __global uchar *start;
  uint first, end;
} Span;

ALWAYS uint upTo(uint limit, long value) {
  return value < 0 ? 0 : value > limit ? limit : (uint)value;
}

// Returns the span of `count` elements from byte `offset` of the block's row on. `whole`: all of them are known to be
// inside.
ALWAYS Span spanOf(Surface s, uint row, uint offset, uint count, uint element_bytes, bool whole) {
  Span span = {s.origin + row * s.pitch + offset, 0, count};
  if (whole)
    return span;
  long x = s.x + offset, y = s.y + row;
  span.first = upTo(count * element_bytes, -x) / element_bytes;
  span.end = upTo(count * element_bytes, s.width - x) / element_bytes;
  if (y < 0 || y >= s.height || span.end < span.first)
    span.end = span.first;
  span.start += span.first * element_bytes;
  return span;
}

// Access the elements of a span, which belong to the lanes from `lane` on. A read gives the other lanes zero.
#define ROW(T, suffix)                                                                                                 \
  ALWAYS T read_##suffix(Surface s, uint row, uint offset, uint lane, uint count, bool whole) {                        \
    Span span = spanOf(s, row, offset, count, sizeof(T), whole);                                                       \
    return __lanecl_row_read_##suffix((const __global T *)span.start, lane + span.first, lane + span.end);             \
  }                                                                                                                    \
  ALWAYS void write_##suffix(Surface s, uint row, bool whole, T value) {                                               \
    Span span = spanOf(s, row, 0, 16, sizeof(T), whole);                                                               \
    __lanecl_row_write_##suffix((__global T *)span.start, span.first, span.end, value);                                \
  }
ROW(uchar, uc)
ROW(ushort, us)
ROW(uint, ui)

// The next functions read unit i of blocks that lie side by side and have `units` units each. A unit fills the lanes
// once. The unit of the first function is a row of 16 elements.
#define UNIT(T, suffix)                                                                                                \
  ALWAYS T unit_##suffix(Surface s, uint i, uint units, bool whole) {                                                  \
    return read_##suffix(s, i % units, i / units * 16 * sizeof(T), 0, 16, whole);                                      \
  }
UNIT(uchar, uc)
UNIT(ushort, us)
UNIT(uint, ui)
// The unit of unit_pair() is two rows of eight elements. A block of only one such row is read by unit_single().
ALWAYS uint unit_pair(Surface s, uint i, uint units, bool whole) {
  uint row = i % units * 2, offset = i / units * 32;
  return read_ui(s, row, offset, 0, 8, whole) | read_ui(s, row + 1, offset, 8, 8, whole);
}
ALWAYS uint unit_single(Surface s, uint i, uint units, bool whole) {
  return read_ui(s, 0, i * 32, 0, 8, whole);
}
// The units of unit_two() and unit_four() are two and four rows, packed into dwords. The rows are shifted together
// instead of being stored as vectors of small elements, so that every access to the caller's array has the size of its
// elements.
ALWAYS uint unit_two(Surface s, uint i, uint units, bool whole) {
  uint row = i % units * 2, offset = i / units * 32;
  return read_us(s, row, offset, 0, 16, whole) | (uint)read_us(s, row + 1, offset, 0, 16, whole) << 16;
}
ALWAYS uint unit_four(Surface s, uint i, uint units, bool whole) {
  uint row = i % units * 4, offset = i / units * 16;
  return read_uc(s, row, offset, 0, 16, whole) | (uint)read_uc(s, row + 1, offset, 0, 16, whole) << 8 |
         (uint)read_uc(s, row + 2, offset, 0, 16, whole) << 16 | (uint)read_uc(s, row + 3, offset, 0, 16, whole) << 24;
}

// Loops that are unrolled, and loops that stay loops.
#define EACH(i, count) _Pragma("unroll") for (uint i = 0; i < (count); ++i)
#define LOOP(i, count) _Pragma("nounroll") for (uint i = 0; i < (count); ++i)

#define PARAMETERS __global void *base, int width, int height, int pitch, int2 coord
// Starts a function: its name, its parameters, and the surface.
#define FUNCTION(name, element_bytes, T)                                                                               \
  OVERLOADABLE void intel_sub_group_2d_block_##name(PARAMETERS, __private T *data) {                                   \
    __lanecl_require_width(16);                                                                                        \
    Surface s = surfaceAt(base, width, height, pitch, coord, element_bytes);

#define COPY(from, to, count) EACH(i, count) to[i] = from[i]

// Defines a function that reads `units` units of type T from each block and passes them to `finish`.
#define READ(name, element_bytes, T, unit, units, blocks, row_bytes, rows, finish)                                     \
  FUNCTION(read_##name, element_bytes, T)                                                                              \
  T values[(units) * (blocks)];                                                                                        \
  if (contains(s, row_bytes, rows)) {                                                                                  \
    EACH(i, (units) * (blocks)) values[i] = unit_##unit(s, i, units, true);                                            \
  } else {                                                                                                             \
    T at_the_edge[(units) * (blocks)];                                                                                 \
    LOOP(i, (units) * (blocks)) at_the_edge[i] = unit_##unit(s, i, units, false);                                      \
    COPY(at_the_edge, values, (units) * (blocks));                                                                     \
  }                                                                                                                    \
  finish(values, data, (units) * (blocks));                                                                            \
  }

// Defines functions whose unit is a row of 16 elements of type T. `bits` is the size of an element in the function's
// name.
#define READ_ROWS_OF(bits, element_bytes, T, suffix, rows, columns, blocks)                                            \
  READ(bits##b_##rows##r##columns##x##blocks##c, element_bytes, T, suffix, rows, blocks, blocks * 16 * sizeof(T),      \
       rows, COPY)
#define READ_MANY_ROWS(bits, element_bytes, T, suffix, columns, blocks)                                                \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 8, columns, blocks)                                                     \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 16, columns, blocks)                                                    \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 32, columns, blocks)
#define READ_ROWS(bits, element_bytes, T, suffix, columns, blocks)                                                     \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 1, columns, blocks)                                                     \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 2, columns, blocks)                                                     \
  READ_ROWS_OF(bits, element_bytes, T, suffix, 4, columns, blocks)                                                     \
  READ_MANY_ROWS(bits, element_bytes, T, suffix, columns, blocks)
READ_ROWS(8, 1, ushort, us, 32, 1) // a lane has two bytes
READ_ROWS(8, 1, ushort, us, 32, 2)
READ_MANY_ROWS(8, 1, uchar, uc, 16, 4)
READ_ROWS(16, 2, ushort, us, 16, 1)
READ_ROWS(16, 2, ushort, us, 16, 2)
READ_ROWS(32, 4, uint, ui, 16, 1)

// Rows of eight elements: the lower eight lanes hold one row, and the upper eight lanes the next.
#define READ_PAIRS_OF(rows, blocks)                                                                                    \
  READ(32b_##rows##r8x##blocks##c, 4, uint, pair, rows / 2, blocks, blocks * 32, rows, COPY)
#define READ_PAIRS(blocks)                                                                                             \
  READ(32b_1r8x##blocks##c, 4, uint, single, 1, blocks, blocks * 32, 1, COPY)                                          \
  READ_PAIRS_OF(2, blocks)                                                                                             \
  READ_PAIRS_OF(4, blocks) READ_PAIRS_OF(8, blocks) READ_PAIRS_OF(16, blocks) READ_PAIRS_OF(32, blocks)
READ_PAIRS(1)
READ_PAIRS(2)

// Transformed blocks: each lane holds a column, packed into dwords.
#define READ_TRANSFORM(bits, element_bytes, rows, unit, units, blocks)                                                 \
  READ(transform_##bits##b_##rows##r16x##blocks##c, element_bytes, uint, unit, units, blocks,                          \
       blocks * 16 * element_bytes, rows, COPY)
READ_TRANSFORM(8, 1, 32, four, 8, 1)
READ_TRANSFORM(8, 1, 32, four, 8, 2)
READ_TRANSFORM(8, 1, 32, four, 8, 4)
READ_TRANSFORM(16, 2, 16, two, 8, 1)
READ_TRANSFORM(16, 2, 16, two, 8, 2)
READ_TRANSFORM(16, 2, 32, two, 16, 1)
READ_TRANSFORM(16, 2, 32, two, 16, 2)

// Transposes 16 rows of eight, two in each register, to eight rows of 16. Each of the three steps swaps a bit of the
// register's number with a bit of the column by exchanges between two registers. Finally the lanes are reordered.
ALWAYS void transpose(const uint pairs[8], uint columns[8]) {
  uint lane = __lanecl_lane_id(), from[8], to[8];
  COPY(pairs, from, 8);
  EACH(step, 3) {
    uint bit = 1u << step, other = lane & bit ? 16 : 0;
    EACH(i, 8)
    to[i] = i & bit ? __lanecl_shuffle2(from[i ^ bit], from[i], other | lane | bit)
                    : __lanecl_shuffle2(from[i], from[i | bit], other | (lane & ~bit));
    COPY(to, from, 8);
  }
  EACH(i, 8) columns[i] = __lanecl_shuffle(from[i], lane >> 1 | (lane & 1) << 3);
}
#define TRANSPOSE_16(from, to, count) transpose(from, to)
// Transposes 32 rows: each lane holds two neighboring columns of each result.
ALWAYS void transposeTwice(const uint pairs[16], uint *data) {
  uint columns[16], twice = 2 * __lanecl_lane_id();
  transpose(pairs, columns);
  transpose(pairs + 8, columns + 8);
  EACH(i, 8) {
    data[2 * i] = __lanecl_shuffle2(columns[i], columns[8 + i], twice);
    data[2 * i + 1] = __lanecl_shuffle2(columns[i], columns[8 + i], twice + 1);
  }
}
#define TRANSPOSE_32(from, to, count) transposeTwice(from, to)
READ(transpose_32b_16r8x1c, 4, uint, pair, 8, 1, 32, 16, TRANSPOSE_16)
READ(transpose_32b_32r8x1c, 4, uint, pair, 16, 1, 32, 32, TRANSPOSE_32)

// Defines a function that writes rows of 16 elements of type T.
#define WRITE(bits, element_bytes, T, suffix, rows, columns)                                                           \
  FUNCTION(write_##bits##b_##rows##r##columns##x1c, element_bytes, T)                                                  \
  if (contains(s, 16 * sizeof(T), rows)) {                                                                             \
    EACH(row, rows) write_##suffix(s, row, true, data[row]);                                                           \
  } else {                                                                                                             \
    T at_the_edge[rows];                                                                                               \
    COPY(data, at_the_edge, rows);                                                                                     \
    LOOP(row, rows) write_##suffix(s, row, false, at_the_edge[row]);                                                   \
  }                                                                                                                    \
  }
#define WRITE_ROWS(bits, element_bytes, T, suffix, columns)                                                            \
  WRITE(bits, element_bytes, T, suffix, 1, columns)                                                                    \
  WRITE(bits, element_bytes, T, suffix, 2, columns)                                                                    \
  WRITE(bits, element_bytes, T, suffix, 4, columns) WRITE(bits, element_bytes, T, suffix, 8, columns)
WRITE_ROWS(8, 1, uchar, uc, 16)
WRITE_ROWS(8, 1, ushort, us, 32)
WRITE_ROWS(16, 2, ushort, us, 16)
WRITE_ROWS(32, 4, uint, ui, 16)

// Prefetches the cache lines of each row that are inside the surface. A row has at most 64 bytes, in one or two cache
// lines.
ALWAYS void prefetchBlock(Surface s, uint row_bytes, uint rows) {
  long first = max(-s.x, 0l), last = min((long)row_bytes, s.width - s.x) - 1;
  if (first > last)
    return;
  for (long row = max(-s.y, 0l), end = min((long)rows, s.height - s.y); row < end; ++row) {
    __builtin_prefetch(s.origin + row * s.pitch + first);
    __builtin_prefetch(s.origin + row * s.pitch + last);
  }
}
#define PREFETCH(bits, element_bytes, rows, columns, blocks)                                                           \
  OVERLOADABLE void intel_sub_group_2d_block_prefetch_##bits##b_##rows##r##columns##x##blocks##c(PARAMETERS) {         \
    __lanecl_require_width(16);                                                                                        \
    prefetchBlock(surfaceAt(base, width, height, pitch, coord, element_bytes), blocks * columns * element_bytes,       \
                  rows);                                                                                               \
  }
#define PREFETCH_ROWS(bits, element_bytes, columns, blocks)                                                            \
  PREFETCH(bits, element_bytes, 1, columns, blocks)                                                                    \
  PREFETCH(bits, element_bytes, 2, columns, blocks)                                                                    \
  PREFETCH(bits, element_bytes, 4, columns, blocks)                                                                    \
  PREFETCH(bits, element_bytes, 8, columns, blocks)                                                                    \
  PREFETCH(bits, element_bytes, 16, columns, blocks) PREFETCH(bits, element_bytes, 32, columns, blocks)
PREFETCH_ROWS(8, 1, 32, 1)
PREFETCH_ROWS(8, 1, 32, 2)
PREFETCH(8, 1, 32, 16, 1)
PREFETCH(8, 1, 32, 16, 2)
PREFETCH(8, 1, 8, 16, 4)
PREFETCH(8, 1, 16, 16, 4)
PREFETCH(8, 1, 32, 16, 4)
PREFETCH_ROWS(16, 2, 16, 1)
PREFETCH_ROWS(16, 2, 16, 2)
PREFETCH_ROWS(32, 4, 16, 1)
PREFETCH_ROWS(32, 4, 8, 1)
PREFETCH_ROWS(32, 4, 8, 2)
