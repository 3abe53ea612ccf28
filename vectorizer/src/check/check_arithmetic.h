// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The program's operations and calls of mathematical functions report where their result is undefined or the first NaN.
// To be run before calls are inlined, while their names say what they compute.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckArithmeticPass : public llvm::PassInfoMixin<CheckArithmeticPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
