// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `bit-vectors`: loads and stores of vectors whose elements are not whole bytes become accesses of whole bytes and a
// bitcast.
//
// LLVM makes them: the lowest bit of a loaded vector's component is component 32 * n of a loaded <256 x i1>. Its
// elements are adjacent bits in memory, while the lane forms of accesses address bytes.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BitVectorsPass : public llvm::PassInfoMixin<BitVectorsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
