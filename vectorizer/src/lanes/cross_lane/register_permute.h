// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Permutes by variable indices of tables of any size, split into the target's registers and instructions. Used by
// permute.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// A table of N integers of 8, 16, 32 or 64 bits, to be read by index vectors. N is a power of two from 4 to 128, so a
// table may take several registers. Indices are taken modulo N. Example, N = 32 floats on AVX2: four registers of 8
// elements are permuted by the low 3 bits of the index, and index bits 3 and 4 blend the four results.
class RegisterTable {
public:
  RegisterTable(const LaneContext &c, llvm::Value *table);

  // Returns the elements at the <K x i32> indices, K a power of two: <K x iB>, or <K x i16> for bytes that are read as
  // words. `in_range`: every index is known to be below N.
  llvm::Value *read(llvm::Value *index, bool in_range);
  // Returns the element at one scalar i32 index.
  llvm::Value *readOne(llvm::Value *index, bool in_range);

private:
  // The instruction that reads a table of one or two registers.
  enum class Method {
    Permute, // vperm*, vpermt2* of AVX-512: the hardware takes the index modulo the table
    Dwords,  // vpermd of AVX2: a 64-bit element is permuted as two halves
    Bytes,   // pshufb, which permutes within 16 bytes
  };

  const LaneContext c;
  unsigned bits;        // the size of an element
  unsigned count;       // N, the number of the table's elements
  unsigned table_lanes; // how many elements one table register holds
  unsigned index_lanes; // how many indices one instruction takes
  Method method;
  // tables[i] holds the elements from i * table_lanes on.
  llvm::SmallVector<llvm::Value *, 8> tables;

  void chooseMethod();
  void splitTable(llvm::Value *table);
  llvm::Value *controlOf(llvm::Value *index, bool in_range) const;
  llvm::Value *lookUp(llvm::ArrayRef<llvm::Value *> part, llvm::Value *index, llvm::Value *control) const;
  llvm::Value *permuteOne(llvm::Value *table, llvm::Value *control) const;
  llvm::Value *permuteTwo(llvm::Value *low, llvm::Value *high, llvm::Value *control) const;
  llvm::Value *blend(llvm::Value *index, unsigned index_bit, llvm::Value *clear, llvm::Value *set) const;
  llvm::Value *unitIndices(llvm::Value *index, unsigned unit_bits) const;
};

} // namespace lanecl::vectorizer::lanes
