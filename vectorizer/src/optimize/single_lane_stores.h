// Masked stores of one lane that is known become plain stores of that lane's element.
//
// That is the better code, and it is necessary: for AVX-512, LLVM 22 makes such a store, when the stored vector is a
// truncation, one of the wider element, which overwrites what lies behind.
//
// Runs behind everything that could make a mask constant.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SingleLaneStoresPass : public llvm::PassInfoMixin<SingleLaneStoresPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
