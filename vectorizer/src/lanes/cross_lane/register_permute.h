// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variable permutes of tables of any size, split into the target's registers and instructions. Used by permute.cpp.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// A table of N integers of 8, 16, 32 or 64 bits in as many registers as it needs, to be read by index vectors.
// N is a power of two from 4 to 128. Indices are taken modulo N.
class RegisterTable {
public:
  RegisterTable(const LaneContext &c, llvm::Value *table);

  // <K x i32> indices to <K x iB> elements, K a power of two. `in_range`: every index is known to be below N.
  llvm::Value *read(llvm::Value *index, bool in_range);
  // The element at one scalar i32 index.
  llvm::Value *readOne(llvm::Value *index, bool in_range);

private:
  enum class Method {
    Permute, // vperm*, vpermt2* of AVX-512: the hardware takes the index modulo the table
    Dwords,  // vpermd of AVX2, 64-bit elements as two halves
    Bytes,   // pshufb within 16 bytes
  };

  const LaneContext c;
  unsigned bits;        // of an element
  unsigned count;       // N
  unsigned table_lanes; // elements of one table register
  unsigned index_lanes; // indices per instruction
  Method method;
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
