// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Separates what all lanes share in a condition from what differs between them:
//
//   while (count < limit && x * x + y * y <= 4) …
//
// becomes a uniform branch and a divergent one, so that no mask has to hold what a scalar test decides. That is done
// where the uniform part alone leads out of a loop, or past the code that the whole condition guards. The function is
// in canonical form and remains so.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplitConditionsPass : public llvm::PassInfoMixin<SplitConditionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
