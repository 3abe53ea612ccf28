// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of sub-group functions report lanes that are missing, that do not exist, or that differ where they must not. To
// be run before the functions are inlined, while their names say which rules they have.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckSubGroupsPass : public llvm::PassInfoMixin<CheckSubGroupsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
