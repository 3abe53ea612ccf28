// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the shadow of memory. Private variables that are accessed directly have their shadow in a variable beside them;
// all other memory has it in the shadow memory of the process (CheckRuntime::shadow).
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

  // Returns a pointer to the shadow of the pointed-to memory, in the same address space; null if the memory is always
  // initialized.
  llvm::Value *of(llvm::Instruction &access, llvm::Value *pointer);
  // Returns the shadow for a generic pointer that may point to local or private memory, for Reach::OwnMemory; otherwise
  // null.
  llvm::Value *ofUnknown(llvm::Instruction &access, llvm::Value *pointer);

private:
  llvm::Value *dynamic(llvm::Instruction &access, llvm::Value *pointer, llvm::Value *object);
  void addVariable(llvm::AllocaInst &variable);
  llvm::Value *inVariable(llvm::Value *pointer);
  llvm::Value *distanceOf(llvm::Value *object);

  llvm::Function &function;
  llvm::LoopInfo &loops;
  const Reach reach;
  llvm::Value *base; // i64, the address of the process's shadow memory
  // For each pointer into a private variable, the pointer into the variable's shadow.
  llvm::DenseMap<llvm::Value *, llvm::Value *> pointers;
  llvm::DenseMap<llvm::Value *, llvm::Value *> distances; // by object: the distance from its memory to the shadow
};

} // namespace lanecl::vectorizer
