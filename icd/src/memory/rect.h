// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A box of bytes in linear memory, as the …Rect commands describe it.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>

namespace lanecl::icd {

using Box = std::array<size_t, 3>; // bytes, rows, slices

inline size_t volume(const Box &box) {
  return box[0] * box[1] * box[2];
}

struct Rect {
  size_t offset = 0; // of the first byte
  size_t row_pitch = 0;
  size_t slice_pitch = 0;

  // Checks and completes the pitches, where zero means dense. CL_INVALID_VALUE when they do not fit the region, or
  // when the box cannot be addressed at all.
  static cl_int make(Rect &rect, const size_t *origin, const Box &region, size_t row_pitch, size_t slice_pitch);

  size_t rowOffset(size_t row, size_t slice) const { return offset + row * row_pitch + slice * slice_pitch; }
};

// One past the last byte of the box. False when that overflows.
bool rectEnd(const Rect &rect, const Box &region, size_t &end);

// Whether any byte belongs to both boxes; `a` and `b` are their base addresses.
bool rectsOverlap(const std::byte *a, const Rect &rect_a, const std::byte *b, const Rect &rect_b, const Box &region);

void copyRect(std::byte *target, const Rect &target_rect, const std::byte *source, const Rect &source_rect,
              const Box &region);

} // namespace lanecl::icd
