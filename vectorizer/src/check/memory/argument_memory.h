// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Passes the memory of pointers to kept functions. The caller knows which memory a pointer belongs to. The function
// could not find out by the address: a pointer past the end of its memory may point into other memory.
//
//   f(p)     ──>     f(p, begin, bytes, object), where p is marked by them in f, see createArgumentMark()
#pragma once

#include "check/check_calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Finds the memory of pointers in one function, whose objects are already marked. It may add phis and selects, which
// follow the phis and selects of the pointers.
class MemoryOfPointers {
public:
  explicit MemoryOfPointers(llvm::Function &function);

  ArgumentMemory of(llvm::Value *pointer);

private:
  ArgumentMemory ofObject(llvm::Value &object);
  ArgumentMemory merge(llvm::PHINode &phi);
  ArgumentMemory choose(llvm::SelectInst &select);
  ArgumentMemory asked(llvm::Value &pointer);
  llvm::Value *addressOf(llvm::Value &pointer);
  llvm::ConstantInt *number(uint64_t value) const;

  llvm::Function &function;
  llvm::DenseMap<llvm::Value *, ArgumentMemory> known;
};

// addMemoryParameters() gives all kept functions of the module the parameters and marks their pointers; calls pass
// zeros at first. passMemory() fills in what the calls in one function pass.
void addMemoryParameters(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);
void passMemory(llvm::Function &caller);

} // namespace lanecl::vectorizer
