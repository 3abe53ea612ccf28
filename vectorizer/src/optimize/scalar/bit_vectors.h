// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `bit-vectors`: loads and stores of vectors whose elements are not whole bytes become accesses of whole bytes and a
// bitcast:
//
//   %v = load <256 x i1>, ptr %p      ──>      %w = load <4 x i64>, ptr %p
//                                              %v = bitcast <4 x i64> %w to <256 x i1>
//
// LLVM makes such loads: the lowest bit of component n of a loaded vector of ints becomes element 32 * n of a loaded
// <256 x i1>. The elements of that vector are adjacent bits in memory, but the vector forms of accesses address bytes.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BitVectorsPass : public RequiredPass<BitVectorsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
