// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Freezes, as LLVM's code generation needs them:
//
// - A frozen undef or poison becomes 0, so that it is one value wherever it is used. LLVM 22 gives each use some
//   register, and these may hold different numbers.
// - What was converted to 8 or 16 bits is not frozen where it is only stored: the bits in memory are some bits in any
//   case, and without the freeze LLVM joins the instructions that narrow several vectors.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerFreezesPass : public llvm::PassInfoMixin<LowerFreezesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
