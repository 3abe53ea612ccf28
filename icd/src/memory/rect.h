// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Boxes of bytes in linear memory, as the …Rect commands describe them.
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>

namespace lanecl::icd {

using Box = std::array<size_t, 3>; // bytes, rows, slices

// Returns the number of bytes in the box.
inline size_t volume(const Box &box) {
  return box[0] * box[1] * box[2];
}

// The position of a box in memory: its first byte, and the distances between its rows and between its slices.
struct Rect {
  size_t offset = 0; // byte offset of the first byte
  size_t row_pitch = 0;
  size_t slice_pitch = 0;

  // Makes the position from the application's arguments. A pitch of zero means that rows or slices are contiguous.
  // CL_INVALID_VALUE when the pitches do not fit the region, or when offsets in the box exceed the address space.
  static cl_int make(Rect &rect, const size_t *origin, const Box &region, size_t row_pitch, size_t slice_pitch);

  size_t rowOffset(size_t row, size_t slice) const { return offset + row * row_pitch + slice * slice_pitch; }
};

// Sets `end` to the offset past the end of the box. Returns false when it overflows.
bool rectEnd(const Rect &rect, const Box &region, size_t &end);

// Returns true if any byte belongs to both boxes. `a` and `b` are their base addresses.
bool rectsOverlap(const std::byte *a, const Rect &rect_a, const std::byte *b, const Rect &rect_b, const Box &region);

// Copies the bytes of a box. Rows may overlap.
void copyRect(std::byte *target, const Rect &target_rect, const std::byte *source, const Rect &source_rect,
              const Box &region);

} // namespace lanecl::icd
