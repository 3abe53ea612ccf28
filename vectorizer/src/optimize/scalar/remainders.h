// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces (x / y) * y by x - x % y, if the quotient has no other use or the remainder is computed anyway:
//
//   x - (x / y) * y        ──>   x - (x - x % y)          which LLVM simplifies to x % y
//   (x / y) * y + x % y    ──>   (x - x % y) + x % y      which LLVM simplifies to x
//
// LLVM knows these identities for its own divisions, but not for those with a replaced divisor
// (defined/safe_division.h). They hold for every divisor: if y is 0, the product is 0, and x % 0 is x.
//
// Part of `scalar-optimize`, at its start.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RemaindersPass : public llvm::PassInfoMixin<RemaindersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
