// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Block reads and writes of memory, images and two-dimensional surfaces report where they break the rules that their
// extensions have for pointers, images, surfaces and coordinates. To be run before the functions are inlined, while
// their names say which rules they have.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckBlocksPass : public llvm::PassInfoMixin<CheckBlocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
