// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is done lane by lane takes each lane's element right before its use, not all of them at once.
//
// A vector that is taken apart is one register, or a few words; its elements are one register each. LLVM takes them all
// where the vector is loaded or computed, keeps that order when it selects instructions, and spills what does not fit.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SinkElementsPass : public llvm::PassInfoMixin<SinkElementsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
