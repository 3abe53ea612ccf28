// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The blocks of cl_intel_subgroup_2d_block_io's functions, as their names say them: so many blocks side by side, each
// of rows and columns of elements. They are for sub-groups of 16.
#pragma once

#include "language/sub_group_functions.h"

namespace lanecl::fuzz {

struct Block2d {
  enum class Layout { Plain, Transform, Transpose } layout = Layout::Plain;
  unsigned bits = 0, rows = 0, columns = 0, blocks = 0; // bits of an element

  static constexpr unsigned kWidth = 16;
  unsigned bytes() const { return bits / 8; }
  // What a work-item has of it: a private array of such values. A value has several elements of a row, or, transformed,
  // of a column.
  Base value() const;
  unsigned values() const;
  // Of a single row of eight the upper lanes have nothing.
  unsigned lanes() const { return rows * columns < kWidth ? columns : kWidth; }
  unsigned step() const { return 4 / bytes() > 0 && bits < 32 ? 4 / bytes() : 1; } // of the block's place, in elements

  struct Place {
    unsigned column, row;
    bool operator==(const Place &) const = default;
  };
  // In the blocks, of element `i` of a lane's value.
  Place placeOf(unsigned lane, unsigned value, unsigned i) const;
  unsigned elementsOfValue() const;
};

Block2d block2dOf(SubGroupFunction function);

// The region of memory in which blocks lie.
struct Region {
  int64_t width = 0, height = 0, pitch = 0; // bytes, rows, bytes
  // What the functions ask for, but for where it begins: at a multiple of 64 bytes.
  bool isAllowed(const Block2d &block) const;
};

} // namespace lanecl::fuzz
