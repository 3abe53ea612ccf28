// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks of images. They are bytes as they lie in memory, whatever the format.
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

constexpr int64_t kUnit = 4; // size of a uint in bytes; bounds are checked in this unit

// The bytes of an image.
class Plane {
public:
  Plane(const MemoryObject &object, Cells &cells_)
      : image(object.image), cells(cells_), cell_bytes(bitsOf(image.base) / 8),
        row_bytes(int64_t(image.width) * image.channels * cell_bytes) {
    if (image.dims != 2 || image.channels * cell_bytes > kUnit || row_bytes % kUnit != 0)
      throw Rejected("blocks of an image whose rows are not uints");
  }

  // Outside the image, the nearest row counts; and outside a row, its first or last uint, at the same byte within the
  // uint.
  uint64_t read(int64_t x, int64_t y) const {
    const int64_t within = x & (kUnit - 1);
    x = std::clamp<int64_t>(x - within, 0, row_bytes - kUnit) + within;
    y = std::clamp<int64_t>(y, 0, int64_t(image.height) - 1);
    return cells.get(cell(x, y)) >> shift(x) & 0xff;
  }
  void write(int64_t x, int64_t y, uint64_t byte) {
    if (x >= 0 && x < row_bytes && y >= 0 && y < int64_t(image.height))
      cells.set(cell(x, y), uint64_t(0xff) << shift(x), byte << shift(x));
  }

private:
  const ImageShape &image;
  Cells &cells;
  const int64_t cell_bytes, row_bytes;

  int64_t cell(int64_t x, int64_t y) const { return (y * row_bytes + x) / cell_bytes; }
  unsigned shift(int64_t x) const { return unsigned(x % cell_bytes) * 8; }
};

// Where byte j of a lane's component lies.
struct BlockPlace {
  int64_t x, y, lane_bytes;
  int64_t column(size_t lane, unsigned j) const { return x + int64_t(lane) * lane_bytes + j; }
};

BlockPlace placeOf(const Callers &callers, unsigned first) {
  return {extended(Base::Int, callers.same(first)), extended(Base::Int, callers.same(first + 1)),
          bitsOf(callers.call.type.base) / 8};
}

// Reads component k of each lane from row y + k. Operand `first` is the block's x in bytes, and the next operand is y.
Results readBlock(const Callers &callers, const Plane &plane, unsigned first) {
  const BlockPlace at = placeOf(callers, first);
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i)
    for (unsigned k = 0; k < callers.call.type.lanes; ++k)
      for (unsigned j = 0; j < at.lane_bytes; ++j)
        results[i].c[k] |= plane.read(at.column(callers.lanes[i], j), at.y + k) << 8 * j;
  return results;
}

// Writes operand 0 of each lane to the block at the position that operands 1 and 2 give.
void writeBlock(const Callers &callers, Plane &plane) {
  const BlockPlace at = placeOf(callers, 1);
  if (at.x % kUnit != 0)
    throw Rejected("a block that is written from within a uint on");
  for (size_t i = 0; i < callers.count(); ++i)
    for (unsigned k = 0; k < callers.call.type.lanes; ++k)
      for (unsigned j = 0; j < at.lane_bytes; ++j)
        plane.write(at.column(callers.lanes[i], j), at.y + k, callers.operands[0][i].c[k] >> 8 * j);
}

} // namespace

// Reads, writes, or writes and reads a block. Only one sub-group writes an image, so that there is no data race; the
// call has no effect in the other sub-groups.
Results WorkGroup::imageBlock(const Callers &callers, const Item &first) {
  const MemoryObject &object = kernel.memories[callers.call.memory];
  Plane plane(object, cells(callers.call.memory));
  const SubGroupKind kind = callers.info().kind;
  if (kind == SubGroupKind::ImageBlockRead)
    return readBlock(callers, plane, 0);
  if (subGroupNumber(first) != object.image.writer)
    return Results(callers.count());
  writeBlock(callers, plane);
  return kind == SubGroupKind::ImageBlockWrite ? Results{} : readBlock(callers, plane, 3);
}

} // namespace lanecl::fuzz
