// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Media block reads and writes (cl_intel_media_block_io). They access the bytes of a region of an image, the size of
// which is an argument. The rows of the region are extended to a power of two of elements and put one after the other:
// component k of lane l is element k * (sub-group size) + l of that sequence. Position and size must be the same for
// all lanes.
#include "image.h"
#include "image_block.h"
#include "image_yuv.h"

typedef struct {
  Image image;
  int row_bytes, height; // of the image
  int x, y; // position of the region in the image, in bytes and rows
  int columns, rows; // size of the region, in elements and rows
  // The number of elements from one row to the next in the sequence that the lanes hold, a power of two.
  int stride;
} Region;

// The position of an element in the region.
typedef struct {
  int column, row;
} Cell;

// Limits a coordinate far outside the image, so that sums stay in range. Reads there give the same result. The position
// of a byte within its uint does not change.
INLINE int nearImage(int at, int end) {
  return clamp(at & -4, -1024, (end + 1024) & -4) | (at & 3);
}

// Returns the smallest power of two that is at least n.
INLINE int powerOfTwoFrom(int n) {
  return n <= 1 ? 1 : 1 << (32 - clz(n - 1));
}

INLINE Region regionOf(Image image, int2 at, int columns, int rows) {
  const int row_bytes = image->extent[0] << image->format.element_log2, height = image->extent[1];
  const int x = nearImage(__lanecl_broadcast_first(at.x), row_bytes);
  const int y = nearImage(__lanecl_broadcast_first(at.y), height);
  columns = __lanecl_broadcast_first(columns);
  rows = __lanecl_broadcast_first(rows);
  return (Region){image, row_bytes, height, x, y, columns, rows, powerOfTwoFrom(columns)};
}

// Returns the position of a component. Both the sub-group size and the stride are powers of two, so one divides the
// other.
INLINE Cell cellOf(Region region, int component) {
  const int width = (int)__lanecl_width(), lane = (int)__lanecl_lane_id();
  if (region.stride >= width) {
    const int first = component * width;
    return (Cell){(first & (region.stride - 1)) + lane, first / region.stride};
  }
  return (Cell){lane & (region.stride - 1), component * (width / region.stride) + lane / region.stride};
}

INLINE bool isInRegion(Region region, Cell cell) {
  return (cell.column < region.columns) & (cell.row < region.rows);
}

INLINE __global uchar *rowInImage(Region region, int y) {
  return region.image->data + (ulong)(uint)y * region.image->y_pitch;
}

// Returns the byte of a row that is read for a byte outside the row: that of the nearest texel. For packed YUV it is
// that of the nearest pair of elements, with the Y of the nearer element.
INLINE int edgeByte(Region region, int x) {
  if (x >= 0 && x < region.row_bytes)
    return x;
  const int texel = 1 << region.image->format.element_log2;
  if (!sharesChroma(region.image))
    return x < 0 ? x & (texel - 1) : region.row_bytes - texel + (x & (texel - 1));
  const int in_pair = x & 3;
  const bool is_luma = (in_pair & 1) == (int)(region.image->format.channel_order - ImageYuyv & 1);
  if (!is_luma)
    return x < 0 ? in_pair : region.row_bytes - 4 + in_pair;
  return x < 0 ? in_pair & 1 : region.row_bytes - 2 + (in_pair & 1);
}

// Defines loads and stores of one element, inside the image and at its edges. Past an edge a load repeats the nearest
// bytes, and a store is dropped.
#define DEFINE_ELEMENT(T)                                                                                              \
  typedef T T##_in_region __attribute__((aligned(1)));                                                                 \
  INLINE bool isInside_##T(Region region) {                                                                            \
    const int last = region.row_bytes - region.columns * (int)sizeof(T);                                               \
    return region.x >= 0 && region.x <= last && region.y >= 0 && region.y <= region.height - region.rows;              \
  }                                                                                                                    \
  INLINE T load_##T(Region region, Cell cell) {                                                                        \
    const __global uchar *row = rowInImage(region, region.y + cell.row);                                               \
    return ((const __global T##_in_region *)(row + region.x))[cell.column];                                            \
  }                                                                                                                    \
  INLINE T loadAtEdge_##T(Region region, Cell cell) {                                                                  \
    const __global uchar *row = rowInImage(region, clamp(region.y + cell.row, 0, region.height - 1));                  \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < (int)sizeof(T); ++i)                                                                           \
      sum |= (T)((T)row[edgeByte(region, region.x + cell.column * (int)sizeof(T) + i)] << 8 * i);                      \
    return sum;                                                                                                        \
  }                                                                                                                    \
  INLINE void store_##T(Region region, Cell cell, T element) {                                                         \
    __global uchar *row = rowInImage(region, region.y + cell.row);                                                     \
    ((__global T##_in_region *)(row + region.x))[cell.column] = element;                                               \
  }                                                                                                                    \
  INLINE void storeAtEdge_##T(Region region, Cell cell, T element) {                                                   \
    const int x = region.x + cell.column * (int)sizeof(T), y = region.y + cell.row;                                    \
    if (y < 0 || y >= region.height)                                                                                   \
      return;                                                                                                          \
    for (int i = 0; i < (int)sizeof(T); ++i)                                                                           \
      if (x + i >= 0 && x + i < region.row_bytes)                                                                      \
        rowInImage(region, y)[x + i] = (uchar)(element >> 8 * i);                                                      \
  }
DEFINE_ELEMENT(uchar)
DEFINE_ELEMENT(ushort)
DEFINE_ELEMENT(uint)

// Lanes whose element is not in the region read an undefined value, here 0, and do not write.
#define READ(I, T, n, count, name)                                                                                     \
  OVERLOADABLE T##n intel_sub_group_media_block_read##name##n(int2 at, int columns, int rows, I image) {               \
    const Region region = regionOf(__lanecl_image(image), at, columns, rows);                                          \
    T data[count];                                                                                                     \
    if (isInside_##T(region)) {                                                                                        \
      UNROLLED for (int i = 0; i < count; ++i) {                                                                       \
        const Cell cell = cellOf(region, i);                                                                           \
        data[i] = isInRegion(region, cell) ? load_##T(region, cell) : (T)0;                                            \
      }                                                                                                                \
    } else {                                                                                                           \
      ROLLED for (int i = 0; i < count; ++i) {                                                                         \
        const Cell cell = cellOf(region, i);                                                                           \
        data[i] = isInRegion(region, cell) ? loadAtEdge_##T(region, cell) : (T)0;                                      \
      }                                                                                                                \
    }                                                                                                                  \
    return (T##n)(COMPONENTS_##count(data));                                                                           \
  }
#define WRITE(I, T, n, count, name)                                                                                    \
  OVERLOADABLE void intel_sub_group_media_block_write##name##n(int2 at, int columns, int rows, T##n value, I image) {  \
    const Region region = regionOf(__lanecl_image(image), at, columns, rows);                                          \
    const T data[count] = {ELEMENTS_##count(value)};                                                                   \
    if (isInside_##T(region)) {                                                                                        \
      UNROLLED for (int i = 0; i < count; ++i) {                                                                       \
        const Cell cell = cellOf(region, i);                                                                           \
        if (isInRegion(region, cell))                                                                                  \
          store_##T(region, cell, data[i]);                                                                            \
      }                                                                                                                \
    } else {                                                                                                           \
      ROLLED for (int i = 0; i < count; ++i) {                                                                         \
        const Cell cell = cellOf(region, i);                                                                           \
        if (isInRegion(region, cell))                                                                                  \
          storeAtEdge_##T(region, cell, data[i]);                                                                      \
      }                                                                                                                \
    }                                                                                                                  \
  }

#define COUNTS(M, I, T, name)                                                                                          \
  M(I, T, , 1, name) M(I, T, 2, 2, name) M(I, T, 4, 4, name) M(I, T, 8, 8, name) M(I, T, 16, 16, name)
#define ELEMENTS(M, I) COUNTS(M, I, uchar, _uc) COUNTS(M, I, ushort, _us) COUNTS(M, I, uint, _ui)

ELEMENTS(READ, read_only image2d_t)
ELEMENTS(READ, read_write image2d_t)
ELEMENTS(WRITE, write_only image2d_t)
ELEMENTS(WRITE, read_write image2d_t)
