// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Computes the final values of x = a * x + c in loops with a constant number of turns. Generators of random numbers
// that skip values, hashes and powers of constants have such loops:
//
//   for (i = 0; i < 200; ++i)          x = a^200 * x + (a^199 + … + a + 1) * c;
//     x = a * x + c;            ──>
//
// LLVM does so only if a is 1. Integers wrap around, so the result is exact. A loop that is not needed otherwise is
// deleted afterwards.
//
// Part of `scalar-optimize`, before loops are unrolled. Only loops with one exiting block are changed, and phis whose
// turn is at most sixteen additions, subtractions, multiplications and shifts by constants.
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
