// Products of vectors of 64-bit integers are computed in 32 bits where the factors fit into 16.
//
// That is the better code, and it is necessary: LLVM 22 takes a product of such factors that is shifted right by 16
// bits or more, and truncated to 16, for the upper half of a product of shorts. From 32 bits on, which only a wider
// product has, the result is undefined. Divisions by two get there, too.
//
// Runs behind everything that could widen it again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class NarrowProductsPass : public llvm::PassInfoMixin<NarrowProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
