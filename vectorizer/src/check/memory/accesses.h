// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the memory accesses that checks look at.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class LoopInfo;
}

namespace lanecl::vectorizer {

// One access of memory by one lane. A call of memcpy is two accesses.
struct Access {
  llvm::Instruction *instruction;
  llvm::Value *pointer;
  llvm::Value *bytes; // i64
  bool writes;
};

// Returns the accesses that have a source location in the program. `width` is the sub-group's width: a block access of
// one lane counts as one of all lanes.
llvm::SmallVector<Access> findAccesses(llvm::Function &function, unsigned width);

// Returns the object that a pointer is computed from.
llvm::Value *objectOf(llvm::Value *pointer, llvm::LoopInfo &loops);

// Returns whether an access at `offset` from the start of its memory is outside this memory of `size` bytes, an i1.
// Both are i64.
llvm::Value *createIsOutside(llvm::IRBuilderBase &b, const Access &access, llvm::Value *offset, llvm::Value *size);

} // namespace lanecl::vectorizer
