// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds calls in a function.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// Returns the calls that satisfy the predicate, in program order.
template <typename Predicate> llvm::SmallVector<llvm::CallInst *> callsThat(llvm::Function &function, Predicate is) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && is(*call))
      calls.push_back(call);
  return calls;
}

} // namespace lanecl::vectorizer
