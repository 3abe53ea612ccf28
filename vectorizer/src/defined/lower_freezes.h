// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rewrites freezes for LLVM's code generation:
//
// - A frozen undef or poison becomes 0, so that it is one value wherever it is used. Code generation of LLVM 22 gives
//   each use some register, and these may hold different numbers.
// - A number that was converted to 8 or 16 bits is not frozen if it is only stored. Its bits in memory are some bits in
//   any case, and without the freeze LLVM joins the instructions that narrow several vectors.
//
//   %i = freeze i32 undef                ->   0
//   %s = freeze <8 x i16> (fptosi %x)    ->   fptosi %x, if it is only stored
//
// The pass runs after all optimizations, so none of them sees what the freeze has hidden.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerFreezesPass : public RequiredPass<LowerFreezesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
