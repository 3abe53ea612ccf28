// `bit-vectors`: loads and stores of vectors whose elements are no whole bytes become those of whole ones, and a
// bitcast.
//
// LLVM makes them: the lowest bit of a loaded vector's component is component 32 * n of a loaded <256 x i1>. Its
// elements lie side by side in memory, bit by bit, while every lane form of an access counts in bytes.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BitVectorsPass : public llvm::PassInfoMixin<BitVectorsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
