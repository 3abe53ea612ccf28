// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits a condition into the part that is the same for all lanes and the part that differs between them. In
//
//   while (count < limit && x * x + y * y <= 4) …
//
// only the second comparison needs a mask:
//
//   br (and %uniform, %varying), %body, %exit     ->     br %uniform, %lanes, %exit
//                                                        lanes: br %varying, %body, %exit
//
// The pass does so where the uniform part alone leads out of a loop, or past the code that the whole condition guards;
// elsewhere linearize could not keep the new branch. A uniform operand that the program evaluates only after another
// operand is frozen, since it may be poison where the other one decides. The function is in canonical form and remains
// so.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplitConditionsPass : public llvm::PassInfoMixin<SplitConditionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
