// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Work-groups whose code is one long chain of instructions run two at a time, one instruction of each in turn.
//
// A work-item that computes with vectors, as programs that recover passwords do, fills the registers by itself, but
// where each instruction needs the result of the one before, the processor's units wait: it does not look far enough
// ahead to find the next work-group. Two work-groups may run in any order, so that their memory accesses need none.
//
// Runs on final code: the loop over the work-groups has to be one block.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class InterleaveGroupsPass : public llvm::PassInfoMixin<InterleaveGroupsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
