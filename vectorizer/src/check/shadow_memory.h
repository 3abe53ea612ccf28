// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a kernel keeps which memory nobody has written: in the shadow of the process (CheckRuntime::shadow), or, of
// private variables, in variables beside them.
#pragma once

#include "vectorizer/check.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class LoopInfo;
}

namespace lanecl::vectorizer {

class ShadowMemory {
public:
  ShadowMemory(llvm::Function &function, llvm::LoopInfo &loops, Reach reach);

  // A pointer to the shadow of what a pointer points to, in the same address space. Null: it is always written.
  llvm::Value *of(llvm::Instruction &access, llvm::Value *pointer);
  // With Reach::OwnMemory: the shadow for a generic pointer that may point to local or private memory, or null.
  llvm::Value *ofUnknown(llvm::Instruction &access, llvm::Value *pointer);

private:
  llvm::Value *dynamic(llvm::Instruction &access, llvm::Value *pointer, llvm::Value *object);
  void addVariable(llvm::AllocaInst &variable);
  llvm::Value *inVariable(llvm::Value *pointer);
  llvm::Value *distanceOf(llvm::Value *object);

  llvm::Function &function;
  llvm::LoopInfo &loops;
  const Reach reach;
  llvm::Value *base;                                      // i64, of the process's shadow
  llvm::DenseMap<llvm::Value *, llvm::Value *> pointers;  // of variables, into the variables beside them
  llvm::DenseMap<llvm::Value *, llvm::Value *> distances; // from memory to its shadow, by object
};

} // namespace lanecl::vectorizer
