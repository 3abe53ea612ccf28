// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The accesses of a kernel that checks look at.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class LoopInfo;
}

namespace lanecl::vectorizer {

struct Access {
  llvm::Instruction *instruction;
  llvm::Value *pointer;
  llvm::Value *bytes; // i64
  bool writes;
};

// Those that have a place in the program.
llvm::SmallVector<Access> findAccesses(llvm::Function &function, unsigned width);

// What a pointer is computed from.
llvm::Value *objectOf(llvm::Value *pointer, llvm::LoopInfo &loops);

// Whether an access leaves memory of `size` bytes, `offset` bytes behind its begin; both i64.
llvm::Value *createIsOutside(llvm::IRBuilderBase &b, const Access &access, llvm::Value *offset, llvm::Value *size);

} // namespace lanecl::vectorizer
