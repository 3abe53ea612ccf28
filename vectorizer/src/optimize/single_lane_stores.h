// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Masked stores of one known lane become plain stores of that lane's element.
//
// That is faster, and it works around a defect: for AVX-512, when the stored vector is a truncation, LLVM 22 stores the
// wider element instead, which overwrites the memory behind it.
//
// Runs after all passes that could make a mask constant.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SingleLaneStoresPass : public llvm::PassInfoMixin<SingleLaneStoresPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
