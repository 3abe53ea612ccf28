// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `branch-selects`: in loops, branches around a few cheap instructions become selects:
//
//   br %c, then, else                            %a.then = …, %a.else = …
//   then: %a.then = …    else: %a.else = …  ──>  %a = select %c, %a.then, %a.else
//   end: %a = phi [%a.then], [%a.else]
//
// Merging two sorted rows takes an element from one of them and advances its index; no processor can predict which one.
// LLVM makes selects if a branch decides up to three values. A loop that copies more than a key decides more values,
// and a mispredicted branch costs as much as twenty selects. Only instructions that are safe to execute speculatively
// are moved.
//
// Part of vector-optimize for kernels of one lane, whose branches are not masks.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BranchSelectsPass : public llvm::PassInfoMixin<BranchSelectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
