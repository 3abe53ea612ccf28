// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/kernel_size.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses KernelSizePass::run(Function &function, FunctionAnalysisManager &) {
  context.abandoned = function.getParent()->getInstructionCount() > context.most_instructions;
  return PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
