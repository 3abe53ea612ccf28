// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a loop with a known number of turns makes of x = a x + c, without the loop: generators of random numbers that
// skip values, hashes and powers of constants.
//
//   for (i = 0; i < 200; ++i)          x = a^200 x + (a^199 + … + a + 1) c;
//     x = a * x + c;            ──>
//
// LLVM does so where a is 1. A loop of which nothing else is needed goes.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
} // namespace llvm

namespace lanecl::vectorizer {

class AffineRecurrencesPass : public llvm::PassInfoMixin<AffineRecurrencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses, llvm::LPMUpdater &);
};

} // namespace lanecl::vectorizer
