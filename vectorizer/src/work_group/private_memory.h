// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `private-memory`: private variables of a sub-group too big for the stack of a worker thread move to its scratch
// memory. All of them do where the kernel queries the address of private memory.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class PrivateMemoryPass : public llvm::PassInfoMixin<PrivateMemoryPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
