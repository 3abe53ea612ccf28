// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// (x / y) * y becomes x - x % y, so that LLVM finds x in (x / y) * y + x % y and x % y in x - (x / y) * y. It knows
// this of its own divisions, not of safe ones (defined/safe_division.h), for which it holds with every divisor:
// where y is 0 the product is 0, and so is x - x % y.
//
// Only where nothing else needs the quotient, or where the remainder is computed anyway.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RemaindersPass : public llvm::PassInfoMixin<RemaindersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
