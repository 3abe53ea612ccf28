// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The blocks of the functions of cl_intel_subgroup_2d_block_io, as the functions' names describe them: a number of
// blocks side by side, each made of rows and columns of elements. The functions are for sub-groups of 16.
#pragma once

#include "language/sub_group_functions.h"

namespace lanecl::fuzz {

// The shape of the blocks that one function reads or writes.
struct Block2d {
  enum class Layout { Plain, Transform, Transpose } layout = Layout::Plain;
  unsigned bits = 0, rows = 0, columns = 0, blocks = 0; // `bits` is the size of an element

  static constexpr unsigned kWidth = 16;
  unsigned bytes() const { return bits / 8; }
  // What a work-item has of the blocks: a private array of such values. A value has several elements of a row or, with
  // Transform, of a column.
  Base value() const;
  unsigned values() const;
  // Number of lanes that have values. If there is a single row of eight elements, the upper lanes have none.
  unsigned lanes() const { return rows * columns < kWidth ? columns : kWidth; }
  // The column of a block is a multiple of this, in elements.
  unsigned step() const { return 4 / bytes() > 0 && bits < 32 ? 4 / bytes() : 1; }

  // The position of an element in the blocks side by side, which are numbered as one row of columns.
  struct Place {
    unsigned column, row;
    bool operator==(const Place &) const = default;
  };
  // Returns where element `i` of a lane's value is in the blocks.
  Place placeOf(unsigned lane, unsigned value, unsigned i) const;
  unsigned elementsOfValue() const;
};

// Returns the shape for a function of kind Block2dRead and the like.
Block2d block2dOf(SubGroupFunction function);

// The region of memory in which blocks lie.
struct Region {
  int64_t width = 0, height = 0, pitch = 0; // in bytes, rows and bytes
  // Whether the region is valid for the functions. The caller also has to check that it starts at a multiple of 64
  // bytes.
  bool isAllowed(const Block2d &block) const;
};

} // namespace lanecl::fuzz
