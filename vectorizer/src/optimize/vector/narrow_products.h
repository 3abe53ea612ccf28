// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of vectors of 64-bit integers are computed in 32 bits where the factors fit into 16.
//
// That is faster, and it works around a defect: LLVM 22 treats a product of such factors that is shifted right by 16
// bits or more, and truncated to 16, as the upper half of a product of shorts. For shifts by 32 bits or more, which
// only a wider product allows, the result is undefined. Divisions by powers of two become such shifts.
//
// Runs after all passes that could widen it again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class NarrowProductsPass : public llvm::PassInfoMixin<NarrowProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
