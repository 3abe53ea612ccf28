// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads and writes of images (cl_intel_subgroups and its companions). They access the bytes of memory, whatever
// the format is. Component k of lane l is element l of row y + k, where elements are counted from byte x of the row.
// The coordinates must be the same for all lanes.
#include "image.h"
#include "image_block.h"

// The image's rows and the position of the block in them. `row_bytes` and `x` are in bytes.
typedef struct {
  __global uchar *data;
  ulong pitch;
  int row_bytes, height;
  int x, y;
} Block;

enum { kMostLanes = 32, kMostBlockBytes = kMostLanes * sizeof(ulong), kMostRows = 16 };

// Limits a coordinate far outside the image, so that sums stay in range. Reads there give the same result. The position
// of the byte within its uint does not change.
INLINE int nearRow(int x, int row_bytes) {
  const int within = x & 3, last = (row_bytes + 3) & -4;
  return clamp(x - within, -kMostBlockBytes - 4, last) + within;
}

INLINE Block blockOf(Image image, int2 at) {
  const int height = image->extent[1], row_bytes = image->extent[0] << image->format.element_log2;
  const int x = nearRow(__lanecl_broadcast_first(at.x), row_bytes);
  const int y = clamp(__lanecl_broadcast_first(at.y), -kMostRows, height);
  return (Block){image->data, image->y_pitch, row_bytes, height, x, y};
}

INLINE __global uchar *rowOfBlock(Block block, int y) {
  return block.data + (ulong)(uint)y * block.pitch;
}

// Returns the offset from which the byte, ushort or uint at `offset` is read. Past the end of a row, and before its
// start, the nearest uint is repeated, as with CLK_ADDRESS_CLAMP_TO_EDGE. Bounds are checked in uints, whatever the
// size of the elements. If the length of a row is not a multiple of four bytes, its last uint extends past the end, and
// the missing bytes are copies of the row's last byte.
INLINE int clampToRow(int offset, int row_bytes) {
  const int within = offset & 3, last = (row_bytes - 1) & -4;
  return min(clamp(offset - within, 0, last) + within, row_bytes - 1);
}

// Whether the block lies between the start and the end of the image's rows.
#define IS_INSIDE(T) (block.x >= 0 && block.x <= block.row_bytes - (int)(__lanecl_width() * sizeof(T)))
#define OFFSET_OF_LANE(T) (block.x + (int)(__lanecl_lane_id() * sizeof(T)))

// Defines loads and stores of one element per lane, inside the image and at its edges. PART is the part of an element
// that lies in one uint.
#define DEFINE_ELEMENT(T, PART)                                                                                        \
  typedef T T##_in_row __attribute__((aligned(1)));                                                                    \
  INLINE OVERLOADABLE void load(const __global uchar *row, Block block, T *element) {                                  \
    *element = ((const __global T##_in_row *)(row + block.x))[__lanecl_lane_id()];                                     \
  }                                                                                                                    \
  INLINE OVERLOADABLE void store(__global uchar *row, Block block, T element) {                                        \
    ((__global T##_in_row *)(row + block.x))[__lanecl_lane_id()] = element;                                            \
  }                                                                                                                    \
  INLINE OVERLOADABLE void loadAtEdge(const __global uchar *row, Block block, T *element) {                            \
    const int offset = OFFSET_OF_LANE(T), whole = sizeof(PART) - 1;                                                    \
    const bool parts_are_whole = ((block.x & whole) | (block.row_bytes & 3)) == 0;                                     \
    const int step = parts_are_whole ? sizeof(PART) : 1;                                                               \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < (int)sizeof(T); i += step) {                                                                   \
      const __global uchar *place = row + clampToRow(offset + i, block.row_bytes);                                     \
      const PART part = parts_are_whole ? *(const __global PART##_in_row *)place : *place;                             \
      sum |= (T)((T)part << 8 * i);                                                                                    \
    }                                                                                                                  \
    *element = sum;                                                                                                    \
  }                                                                                                                    \
  INLINE OVERLOADABLE void storeAtEdge(__global uchar *row, Block block, T element) {                                  \
    const int offset = OFFSET_OF_LANE(T), size = sizeof(T);                                                            \
    if (offset >= 0 && offset <= block.row_bytes - size) {                                                             \
      *(__global T##_in_row *)(row + offset) = element;                                                                \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int i = 0; i < size; ++i)                                                                                     \
      if ((uint)(offset + i) < (uint)block.row_bytes)                                                                  \
        row[offset + i] = (uchar)(element >> 8 * i);                                                                   \
  }
DEFINE_ELEMENT(uchar, uchar)
DEFINE_ELEMENT(ushort, ushort)
DEFINE_ELEMENT(uint, uint)
DEFINE_ELEMENT(ulong, uint)

// Reads outside the image take the nearest row, and writes outside are dropped. At the edges the rows are in a loop,
// because that case is rare and needs much code.
#define READ(I, T, n, rows, name)                                                                                      \
  OVERLOADABLE T##n intel_sub_group_block_read##name##n(I image, int2 at) {                                            \
    const Block block = blockOf(__lanecl_image(image), at);                                                            \
    T row[rows];                                                                                                       \
    if (IS_INSIDE(T)) {                                                                                                \
      UNROLLED for (int i = 0; i < rows; ++i)                                                                          \
          load(rowOfBlock(block, clamp(block.y + i, 0, block.height - 1)), block, &row[i]);                            \
    } else {                                                                                                           \
      ROLLED for (int i = 0; i < rows; ++i)                                                                            \
          loadAtEdge(rowOfBlock(block, clamp(block.y + i, 0, block.height - 1)), block, &row[i]);                      \
    }                                                                                                                  \
    return (T##n)(COMPONENTS_##rows(row));                                                                             \
  }
#define WRITE(I, T, n, rows, name)                                                                                     \
  OVERLOADABLE void intel_sub_group_block_write##name##n(I image, int2 at, T##n data) {                                \
    const Block block = blockOf(__lanecl_image(image), at);                                                            \
    const T row[rows] = {ELEMENTS_##rows(data)};                                                                       \
    if (IS_INSIDE(T)) {                                                                                                \
      UNROLLED for (int i = 0; i < rows; ++i) if ((uint)(block.y + i) < (uint)block.height)                            \
          store(rowOfBlock(block, block.y + i), block, row[i]);                                                        \
    } else {                                                                                                           \
      ROLLED for (int i = 0; i < rows; ++i) if ((uint)(block.y + i) < (uint)block.height)                              \
          storeAtEdge(rowOfBlock(block, block.y + i), block, row[i]);                                                  \
    }                                                                                                                  \
  }

#define COUNTS(M, I, T, name) M(I, T, , 1, name) M(I, T, 2, 2, name) M(I, T, 4, 4, name) M(I, T, 8, 8, name)
#define WIDE_COUNTS(M, I, T, name) COUNTS(M, I, T, name) M(I, T, 16, 16, name)
#define ELEMENTS(M, I)                                                                                                 \
  COUNTS(M, I, uint, )                                                                                                 \
  COUNTS(M, I, uint, _ui) WIDE_COUNTS(M, I, uchar, _uc) WIDE_COUNTS(M, I, ushort, _us) WIDE_COUNTS(M, I, ulong, _ul)

ELEMENTS(READ, read_only image2d_t)
ELEMENTS(READ, read_write image2d_t)
ELEMENTS(WRITE, write_only image2d_t)
ELEMENTS(WRITE, read_write image2d_t)
