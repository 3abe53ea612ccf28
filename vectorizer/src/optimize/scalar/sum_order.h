// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sums of what a loop changes and of what it does not, in an order that keeps them free of overflow.
//
//   for (k = 0; …; k += 8) … a[row * n + k + x]   ──>   a[(row * n + x) + k]
//
// LLVM's hoisting of loop invariants does the same, but forgets that the sum does not overflow, without which the lanes
// of an index of 32 bits are not known to be neighbours. Here it is done where the changing part and one of the others
// are known not to be negative.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SumOrderPass : public llvm::PassInfoMixin<SumOrderPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
