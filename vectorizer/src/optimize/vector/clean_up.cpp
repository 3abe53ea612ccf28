// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/clean_up.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses CleanUpPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes.run(function, manager);
}

} // namespace lanecl::vectorizer
