// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of local and global memory, and what orders them, are told to the run time, which finds those that the
// work-items of a work-group make to the same bytes without a barrier between. To be run on the optimized scalar
// kernel.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckRacesPass : public llvm::PassInfoMixin<CheckRacesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
