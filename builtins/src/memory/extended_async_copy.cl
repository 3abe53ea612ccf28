// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cl_khr_extended_async_copies: copies of planes of lines between global and local memory.
#include "lane_primitives.h"

// Elements may have any size and alignment. A line is copied in the largest of these units that divides its length.
typedef uint Unit4 __attribute__((aligned(1)));
typedef ushort Unit2 __attribute__((aligned(1)));
typedef uchar Unit1;

// The strides are in bytes, and `length` is in units.
typedef struct {
  size_t length, lines, planes, from_line, from_plane, to_line, to_plane;
} Shape;

// Loops over the numbers below `count` that are this work-item's share: every group_size-th one, so that neighboring
// work-items access neighboring elements.
#define FOR_SHARED(i, count)                                                                                           \
  for (size_t i = get_local_linear_id(), group_size = groupSize(); i < (count); i += group_size)

static size_t groupSize(void) { return __lanecl_local_size(0) * __lanecl_local_size(1) * __lanecl_local_size(2); }

// The work-items divide the units of a line, which are consecutive. Lines shorter than a small sub-group are copied by
// one work-item each.
#define COPY_PLANE(Unit, TO, FROM)                                                                                     \
  static OVERLOADABLE void copyPlane(TO Unit *to, const FROM Unit *from, const __private Shape *s) {                   \
    if (s->length < 8) {                                                                                               \
      FOR_SHARED(line, s->lines)                                                                                       \
      for (size_t i = 0; i < s->length; ++i)                                                                           \
        ((TO Unit *)((TO uchar *)to + line * s->to_line))[i] =                                                         \
            ((const FROM Unit *)((const FROM uchar *)from + line * s->from_line))[i];                                  \
      return;                                                                                                          \
    }                                                                                                                  \
    for (size_t line = 0; line < s->lines; ++line) {                                                                   \
      TO Unit *target = (TO Unit *)((TO uchar *)to + line * s->to_line);                                               \
      const FROM Unit *source = (const FROM Unit *)((const FROM uchar *)from + line * s->from_line);                   \
      FOR_SHARED(i, s->length) target[i] = source[i];                                                                  \
    }                                                                                                                  \
  }
#define COPY_PLANES(TO, FROM)                                                                                          \
  COPY_PLANE(Unit1, TO, FROM)                                                                                          \
  COPY_PLANE(Unit2, TO, FROM)                                                                                          \
  COPY_PLANE(Unit4, TO, FROM)                                                                                          \
  static OVERLOADABLE void copyPlanes(TO uchar *to, const FROM uchar *from, Shape s) {                                 \
    const size_t bytes = s.length;                                                                                     \
    for (size_t plane = 0; plane < s.planes; ++plane, to += s.to_plane, from += s.from_plane)                          \
      if (bytes & 1) {                                                                                                 \
        copyPlane((TO Unit1 *)to, (const FROM Unit1 *)from, &s);                                                       \
      } else if (bytes & 2) {                                                                                          \
        s.length = bytes / 2;                                                                                          \
        copyPlane((TO Unit2 *)to, (const FROM Unit2 *)from, &s);                                                       \
      } else {                                                                                                         \
        s.length = bytes / 4;                                                                                          \
        copyPlane((TO Unit4 *)to, (const FROM Unit4 *)from, &s);                                                       \
      }                                                                                                                \
  }                                                                                                                    \
  OVERLOADABLE event_t async_work_group_copy_2D2D(                                                                     \
      TO void *to, size_t to_offset, const FROM void *from, size_t from_offset, size_t size, size_t length,            \
      size_t lines, size_t from_line, size_t to_line, event_t event) {                                                 \
    const Shape shape = {size * length, lines, 1, size * from_line, 0, size * to_line, 0};                             \
    copyPlanes((TO uchar *)to + size * to_offset, (const FROM uchar *)from + size * from_offset, shape);               \
    return event;                                                                                                      \
  }                                                                                                                    \
  OVERLOADABLE event_t async_work_group_copy_3D3D(                                                                     \
      TO void *to, size_t to_offset, const FROM void *from, size_t from_offset, size_t size, size_t length,            \
      size_t lines, size_t planes, size_t from_line, size_t from_plane, size_t to_line, size_t to_plane,               \
      event_t event) {                                                                                                 \
    const Shape shape = {size * length,     lines,          planes,         size * from_line,                          \
                         size * from_plane, size * to_line, size * to_plane};                                          \
    copyPlanes((TO uchar *)to + size * to_offset, (const FROM uchar *)from + size * from_offset, shape);               \
    return event;                                                                                                      \
  }
COPY_PLANES(__local, __global)
COPY_PLANES(__global, __local)
