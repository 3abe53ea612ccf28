// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reorders sums of a loop's invariants and its changing values, so that the invariant part can be hoisted and no
// intermediate sum overflows. It looks for (invariant + changing) + invariant without signed overflow:
//
//   for (k = 0; …; k += 8) … a[row * n + k + x]   ──>   a[(row * n + x) + k]
//
// LLVM's LICM reassociates such sums, too, but drops the flag `nsw`. Without the flag, lanes with a 32-bit index are
// not known to access neighboring elements. Here the flag is kept. That is correct because the changing part and one of
// the invariants are known to be non-negative: the sum of the invariants then lies between one of them and the whole
// sum.
//
// Part of `scalar-optimize`, before its first hoisting.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SumOrderPass : public llvm::PassInfoMixin<SumOrderPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
