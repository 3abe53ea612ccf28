// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `splat-permutes`: makes the permute of a broadcast return the element in all lanes. A broadcast of a lane that is
// known only at run time is a permute whose indices are all the same:
//
//   %p = vpermd(%v, insertelement(poison, %i, 0))            %p = vpermd(%v, splat(%i))
//   %s = shufflevector %p, <0, 0, …>                ──>      %s = %p
//
// LLVM reduces the first permute to one that returns only element 0, and copies that element to all lanes by a second
// permute, which waits for the first. Here the index is splat instead. A loop that carries the value then has one
// permute less in its dependency chain.
//
// Runs after all passes that could narrow the index again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplatPermutesPass : public llvm::PassInfoMixin<SplatPermutesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
