// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Brings control flow into the form that linearize expects:
//
//   before                                after
//   switch, several returns,              branches and one return,
//   unreachable ends                      no unreachable ends
//   loops with several entries, latches   every loop with one entry, a preheader, one latch and one exit block
//   or exits, or without an exit
//   a value used after its loop           a phi in the exit block (LCSSA form)
//
// Every block is then on a path to the return. The pass assumes no form. It does not change which blocks a lane
// executes with defined behavior: exits that it adds to endless loops are never taken, and a lane that would reach
// `unreachable` returns instead. Calls in which lanes exchange values stay in their loops (keep_in_loops.h).
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Metadata of a freeze that copies a value at a loop's exit although the loop does not define it (nameExitValues() in
// the .cpp). linearize removes these copies.
inline constexpr const char *kExitValue = "lanecl.exit";

class CanonicalizePass : public RequiredPass<CanonicalizePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
