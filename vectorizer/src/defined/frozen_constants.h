// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A frozen undef or poison becomes 0, as it is one value wherever it is used. LLVM 22's code generation gives each use
// a register of its own, whatever is in it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FrozenConstantsPass : public llvm::PassInfoMixin<FrozenConstantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
