// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Helper that says which analyses remain valid after a pass.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lanecl::vectorizer {

// Returns what remains valid after a pass that changes only instructions, never blocks or branches.
inline llvm::PreservedAnalyses preservedWithCfg(bool changed) {
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace lanecl::vectorizer
