// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Memory that work-items share. It records which work-item accessed which cell, to detect data races.
#pragma once

#include "evaluate/evaluate.h"
#include "evaluate/unknown_bits.h"

namespace lanecl::fuzz {

// One memory object as scalars ("cells"): a vector takes as many cells as it has components. Between two barriers, a
// cell that one work-item writes may not be accessed by another one.
class Cells {
public:
  Cells() = default;
  // Cells of local memory start uninitialized.
  Cells(std::vector<uint64_t> contents, bool initialized)
      : bits(std::move(contents)), writer(bits.size(), kNoItem), reader(bits.size(), kNoItem),
        atomics(bits.size(), kNone), written(bits.size(), initialized), unknown(bits.size()) {}

  // Loads a cell for the work-item with this number in the NDRange. Throws Rejected for an index that is out of bounds,
  // for an uninitialized cell and for a data race.
  uint64_t load(int64_t index, int32_t item) {
    const size_t i = checked(index);
    if (!written[i])
      throw Rejected("a read of uninitialized local memory");
    if (writer[i] != kNoItem && writer[i] != item)
      throw Rejected("a read of what another work-item wrote");
    if (atomics[i] != kNone)
      throw Rejected("a read of what atomic functions change");
    reader[i] = reader[i] == kNoItem || reader[i] == item ? item : kSeveral;
    return bits[i];
  }
  // Stores to a cell for the work-item with this number in the NDRange. Throws Rejected as load() does, except that the
  // cell may be uninitialized.
  void store(int64_t index, int32_t item, Scalar value) {
    const size_t i = checked(index);
    if ((writer[i] != kNoItem && writer[i] != item) || (reader[i] != kNoItem && reader[i] != item))
      throw Rejected("two work-items at one place of memory");
    if (atomics[i] != kNone)
      throw Rejected("a write to what atomic functions change");
    writer[i] = item;
    written[i] = true;
    put(index, value);
  }
  // Returns a cell for an atomic function, which does not race with other atomic ones. All atomic functions on a cell
  // between two barriers must be of one kind, so that their order does not matter.
  uint64_t &cell(int64_t index, unsigned kind) {
    const size_t i = checked(index);
    if (!written[i])
      throw Rejected("an atomic function on uninitialized local memory");
    if (writer[i] != kNoItem || reader[i] != kNoItem || (atomics[i] != kNone && atomics[i] != kind))
      throw Rejected("an atomic function beside other accesses");
    atomics[i] = uint8_t(kind);
    return bits[i];
  }
  // Read and write a cell without recording an access.
  Scalar scalar(int64_t index) const { return {bits[checked(index)], unknown[checked(index)]}; }
  void put(int64_t index, Scalar value) {
    bits[checked(index)] = value.bits;
    unknown[checked(index)] = value.unknown;
  }
  // For functions of a sub-group that order their own accesses. Neither records an access.
  uint64_t get(int64_t index) const { return bits[checked(index)]; }
  // Replaces the bits of the cell that `mask` has by those of the value.
  void set(int64_t index, uint64_t mask, uint64_t value) {
    const size_t i = checked(index);
    written[i] = true;
    bits[i] = (bits[i] & ~mask) | (value & mask);
  }

  size_t size() const { return bits.size(); }
  // Forgets who accessed the cells: accesses before the barrier cannot race with those after it.
  void barrier() {
    std::fill(writer.begin(), writer.end(), kNoItem);
    std::fill(reader.begin(), reader.end(), kNoItem);
    std::fill(atomics.begin(), atomics.end(), kNone);
  }
  std::vector<uint64_t> take() { return std::move(bits); }
  std::vector<uint64_t> takeUnknown() { return std::move(unknown); }

private:
  static constexpr int32_t kNoItem = -1, kSeveral = -2;
  static constexpr uint8_t kNone = 255;
  std::vector<uint64_t> bits;
  std::vector<int32_t> writer, reader;
  std::vector<uint8_t> atomics; // the kind of atomic functions that have accessed the cell since the last barrier
  std::vector<bool> written;
  std::vector<uint64_t> unknown; // which bits of each cell are unknown

  size_t checked(int64_t index) const {
    if (index < 0 || size_t(index) >= bits.size())
      throw Rejected("an access outside of memory");
    return size_t(index);
  }
};

} // namespace lanecl::fuzz
