// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/blocks_2d.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace lanecl::fuzz {

namespace {

bool takePrefix(std::string &text, const std::string &prefix) {
  const bool has = text.compare(0, prefix.size(), prefix) == 0;
  if (has)
    text.erase(0, prefix.size());
  return has;
}

} // namespace

Block2d block2dOf(SubGroupFunction function) {
  std::string text(infoOf(function).text);
  takePrefix(text, "intel_sub_group_2d_block_");
  takePrefix(text, "read_") || takePrefix(text, "write_") || takePrefix(text, "prefetch_");
  Block2d block;
  if (takePrefix(text, "transform_"))
    block.layout = Block2d::Layout::Transform;
  if (takePrefix(text, "transpose_"))
    block.layout = Block2d::Layout::Transpose;
  if (std::sscanf(text.c_str(), "%ub_%ur%ux%uc", &block.bits, &block.rows, &block.columns, &block.blocks) != 4)
    throw std::logic_error("no block in " + text);
  return block;
}

unsigned Block2d::elementsOfValue() const {
  if (layout == Layout::Transform)
    return 32 / bits;
  return layout == Layout::Plain ? std::max(1u, columns / kWidth) : 1;
}

Base Block2d::value() const {
  return unsignedOfBits(bits * elementsOfValue());
}

unsigned Block2d::values() const {
  return std::max(1u, rows * columns / (kWidth * elementsOfValue())) * blocks;
}

// The values of a block are consecutive; those of the next block follow.
Block2d::Place Block2d::placeOf(unsigned lane, unsigned value, unsigned i) const {
  const unsigned of_block = values() / blocks, left = value / of_block * columns, n = value % of_block;
  switch (layout) {
  case Layout::Transform: return {left + lane, n * elementsOfValue() + i};
  // What was a column becomes a row of 16 or 32 elements, of which each lane has one or two neighboring ones.
  case Layout::Transpose: {
    const unsigned of_lane = rows / kWidth;
    return {n / of_lane, lane * of_lane + n % of_lane};
  }
  case Layout::Plain: break;
  }
  if (columns < kWidth) // the lanes hold several rows, one after the other
    return {left + lane % columns, n * (kWidth / columns) + lane / columns};
  return {left + lane * elementsOfValue() + i, n};
}

bool Region::isAllowed(const Block2d &block) const {
  constexpr int64_t kMost = 1 << 24;
  return width >= 64 && width <= kMost && width % 4 == 0 && height > 0 && height <= kMost && pitch >= width &&
         pitch % 16 == 0 && width % block.bytes() == 0;
}

} // namespace lanecl::fuzz
