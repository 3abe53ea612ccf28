// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Runs some of LLVM's passes over the widened code, before barriers make their cuts: every value that is live across a
// barrier is kept in memory, so the fewer values, the smaller the frames.
struct CleanUpPass : llvm::PassInfoMixin<CleanUpPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
