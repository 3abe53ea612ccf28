// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Positions, overlaps and copies of boxes.

#include "memory/rect.h"

#include <cassert>
#include <cstring>

namespace lanecl::icd {
namespace {

// Adds a * b to `sum`. Returns false on overflow.
bool accumulate(size_t &sum, size_t a, size_t b) {
  size_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

} // namespace

cl_int Rect::make(Rect &rect, const size_t *origin, const Box &region, size_t row_pitch, size_t slice_pitch) {
  // CL_INVALID_VALUE if row_pitch is not equal to zero and is less than region[0].
  if (row_pitch != 0 && row_pitch < region[0])
    return CL_INVALID_VALUE;
  rect.row_pitch = row_pitch != 0 ? row_pitch : region[0];
  size_t dense_slice = 0;
  if (!accumulate(dense_slice, region[1], rect.row_pitch))
    return CL_INVALID_VALUE;
  // CL_INVALID_VALUE if slice_pitch is not equal to zero and is less than region[1] times row_pitch, or is not a
  // multiple of row_pitch.
  if (slice_pitch != 0 && (slice_pitch < dense_slice || slice_pitch % rect.row_pitch != 0))
    return CL_INVALID_VALUE;
  rect.slice_pitch = slice_pitch != 0 ? slice_pitch : dense_slice;
  rect.offset = origin[0];
  if (!accumulate(rect.offset, origin[1], rect.row_pitch) || !accumulate(rect.offset, origin[2], rect.slice_pitch))
    return CL_INVALID_VALUE;
  size_t end = 0;
  return rectEnd(rect, region, end) ? CL_SUCCESS : CL_INVALID_VALUE;
}

bool rectEnd(const Rect &rect, const Box &region, size_t &end) {
  assert(region[1] != 0 && region[2] != 0 && "a box without rows has no end");
  end = rect.offset;
  return accumulate(end, region[2] - 1, rect.slice_pitch) && accumulate(end, region[1] - 1, rect.row_pitch) &&
         accumulate(end, region[0], 1);
}

bool rectsOverlap(const std::byte *a, const Rect &rect_a, const std::byte *b, const Rect &rect_b, const Box &region) {
  assert(region[1] != 0 && region[2] != 0 && "a box without rows overlaps nothing");
  assert((region[1] == 1 || (rect_a.row_pitch >= region[0] && rect_b.row_pitch >= region[0])) &&
         "the rows of a box are not in ascending order");
  // The rows of each box are in ascending order, so this merges them as two sorted lists of intervals.
  const size_t rows = region[1] * region[2];
  const auto row = [&](const std::byte *base, const Rect &rect, size_t i) {
    return base + rect.rowOffset(i % region[1], i / region[1]);
  };
  for (size_t i = 0, j = 0; i < rows && j < rows;) {
    const std::byte *row_a = row(a, rect_a, i), *row_b = row(b, rect_b, j);
    if (row_a + region[0] <= row_b)
      ++i;
    else if (row_b + region[0] <= row_a)
      ++j;
    else
      return true;
  }
  return false;
}

void copyRect(std::byte *target, const Rect &target_rect, const std::byte *source, const Rect &source_rect,
              const Box &region) {
  for (size_t slice = 0; slice < region[2]; ++slice)
    for (size_t row = 0; row < region[1]; ++row)
      std::memmove(target + target_rect.rowOffset(row, slice), source + source_rect.rowOffset(row, slice), region[0]);
}

} // namespace lanecl::icd
