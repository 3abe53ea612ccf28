// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `interleave-groups`: a work-group whose code is one dependency chain is interleaved with the next work-group, one
// instruction of each in turn:
//
//   group: a; b; c; group++         ──>     group: a, a'; b, b'; c, c'; group += 2
//
// A work-item that computes with vectors, as programs that recover passwords do, fills the registers by itself. Where
// each instruction needs the result of the one before, the processor's execution units wait, because it does not look
// far enough ahead to find the next work-group. Work-groups may run in any order, so the memory accesses of two of them
// need no order. Their local and private memory is the same memory, so groups that use it are not interleaved.
//
// Runs on final code: the loop over the work-groups has to be one block.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class InterleaveGroupsPass : public llvm::PassInfoMixin<InterleaveGroupsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
