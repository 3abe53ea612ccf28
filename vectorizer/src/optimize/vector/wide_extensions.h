// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Halves of a vector that are extended one by one are extended together: one conversion instead of one for each lane
// that a sub-group broadcasts.
//
// Runs after all passes that could divide it again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WideExtensionsPass : public llvm::PassInfoMixin<WideExtensionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
