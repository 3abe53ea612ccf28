// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `branch-selects`: in loops, branches around a few cheap instructions become selects.
//
// The merging of two sorted rows takes an element from one of them and advances its index, and which one no processor
// can predict. LLVM makes selects where a branch decides up to three values. A loop that copies more than a key decides
// more of them, and a mispredicted branch costs as much as twenty selects.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BranchSelectsPass : public llvm::PassInfoMixin<BranchSelectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
