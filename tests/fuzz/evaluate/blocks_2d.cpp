// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two-dimensional blocks of memory. A read outside the region gives zero, and a write outside it has no effect.
#include "evaluate/work_group.h"

#include "language/blocks_2d.h"

namespace lanecl::fuzz {

namespace {

// Where the blocks of one call lie, in bytes of memory.
class Blocks {
public:
  // Takes the operands of the call that come after the first `first` ones. The region starts at byte `begin_`.
  Blocks(const Callers &callers, unsigned first, size_t begin_, size_t memory_bytes)
      : block(block2dOf(callers.call.sub_group)), begin(begin_) {
    if (callers.width != Block2d::kWidth || callers.count() != callers.width)
      throw Rejected("2-D blocks are for sub-groups of 16 work-items");
    const auto given = [&](unsigned i) { return extended(Base::Int, callers.same(first + i)); };
    x = given(0), y = given(1);
    region = {given(2), given(3), given(4)};
    const bool inside = begin % 64 == 0 && int64_t(begin) + region.pitch * region.height <= int64_t(memory_bytes);
    if (!region.isAllowed(block) || x % block.step() != 0 || !inside)
      throw Rejected("a 2-D block at a place that is not allowed");
  }

  const Block2d block;

  // Returns the byte offset of an element in memory, or a negative number if the element is outside the region.
  int64_t byteOf(Block2d::Place place) const {
    const int64_t at = (x + place.column) * block.bytes(), row = y + place.row;
    const bool inside = at >= 0 && at + block.bytes() <= region.width && row >= 0 && row < region.height;
    return inside ? int64_t(begin) + row * region.pitch + at : -1;
  }

private:
  size_t begin;
  int64_t x = 0, y = 0;
  Region region{};
};

// A result may have fewer components than there are values read. Value i is then combined into component i modulo the
// number of components, as Printer::block2dRead prints it.
void fold(Value &result, Type type, unsigned number, uint64_t value) {
  uint64_t &component = result.c[number % type.lanes];
  component = truncated(type.base, component * 3 + value);
}

} // namespace

// Returns the first byte of memory that the call's region covers: at a multiple of 64 in an input, or the start of what
// is the sub-group's own.
size_t WorkGroup::regionOf(const Callers &callers, const Item &first) const {
  const bool is_scratch = kernel.memories[callers.call.memory].isScratch();
  return is_scratch ? scratchOf(callers.call.memory, first) * sizeof(uint32_t) : size_t(callers.call.number) * 64;
}

Results WorkGroup::block2dRead(const Callers &callers, const Item &first) {
  Cells &memory = cells(callers.call.memory);
  const Blocks blocks(callers, 0, regionOf(callers, first), memory.size() * sizeof(uint32_t));
  const Block2d &block = blocks.block;
  Results results(callers.count());
  for (unsigned lane = 0; lane < block.lanes(); ++lane)
    for (unsigned n = 0; n < block.values(); ++n) {
      uint64_t value = 0;
      for (unsigned i = 0; i < block.elementsOfValue(); ++i)
        if (const int64_t at = blocks.byteOf(block.placeOf(lane, n, i)); at >= 0)
          value |= (memory.get(at / 4) >> at % 4 * 8 & (~uint64_t(0) >> (64 - block.bits))) << i * block.bits;
      fold(results[lane], callers.call.type, n, value);
    }
  return results;
}

Results WorkGroup::block2dWrite(const Callers &callers, const Item &first) {
  Cells &memory = cells(callers.call.memory);
  const Blocks blocks(callers, 1, regionOf(callers, first), memory.size() * sizeof(uint32_t));
  const Block2d &block = blocks.block;
  for (unsigned lane = 0; lane < callers.width; ++lane)
    for (unsigned n = 0; n < block.values(); ++n)
      for (unsigned i = 0; i < block.elementsOfValue(); ++i)
        if (const int64_t at = blocks.byteOf(block.placeOf(lane, n, i)); at >= 0) {
          const uint64_t element = callers.operands[0][lane].c[n] >> i * block.bits;
          memory.set(at / 4, ~uint64_t(0) >> (64 - block.bits) << at % 4 * 8, element << at % 4 * 8);
        }
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i) {
    const uint64_t cell = callers.operand(6, i);
    if (cell >= size_t(callers.width) * kernel.memories[callers.call.memory].count)
      throw Rejected("a cell of another sub-group");
    results[i].c[0] = memory.get(int64_t(scratchOf(callers.call.memory, first) + cell));
  }
  return results;
}

// A prefetch does nothing, but its operands must be valid, which constructing Blocks checks.
Results WorkGroup::block2dPrefetch(const Callers &callers, const Item &first) {
  Blocks(callers, 0, regionOf(callers, first), cells(callers.call.memory).size() * sizeof(uint32_t));
  return {};
}

} // namespace lanecl::fuzz
