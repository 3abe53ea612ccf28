// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kept function gets, beside each pointer, the memory that its caller knows the pointer to belong to. Asking in the
// function would not do: a pointer past the end of its memory may point into other memory.
//
//   f(p)  ->  f(p, begin, bytes, object), with p marked by them in f, see createPassedMark()
#pragma once

#include "check/check_calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace lanecl::vectorizer {

// Finds the memory of pointers in one function, whose objects have been marked. It may add instructions, which follow
// the pointer through phis and selects.
class MemoryOfPointers {
public:
  explicit MemoryOfPointers(llvm::Function &function);

  PassedMemory of(llvm::Value *pointer);

private:
  PassedMemory ofObject(llvm::Value &object);
  PassedMemory merge(llvm::PHINode &phi);
  PassedMemory choose(llvm::SelectInst &select);
  PassedMemory asked(llvm::Value &pointer);
  llvm::Value *addressOf(llvm::Value &pointer);
  llvm::ConstantInt *number(uint64_t value) const;

  llvm::Function &function;
  llvm::DenseMap<llvm::Value *, PassedMemory> known;
};

// Gives the kept functions of the module the parameters, and marks their pointers. passMemory() fills in what calls
// pass.
void addMemoryParameters(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);
void passMemory(llvm::Function &caller);

} // namespace lanecl::vectorizer
