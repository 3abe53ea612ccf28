// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A broadcast of a lane that is known at run time only is a permute whose indices are all the same. LLVM asks that
// permute for its first element alone, and copies the element to all lanes with one more permute, which waits for it.
// Here the index is copied instead, so that the first permute gives all lanes, and nothing that a loop carries waits
// for a second one.
//
// Runs after all passes that could narrow the index again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplatPermutesPass : public llvm::PassInfoMixin<SplatPermutesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
