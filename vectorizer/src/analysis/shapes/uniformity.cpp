// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/uniformity.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses UniformityPrinterPass::run(Function &function, FunctionAnalysisManager &manager) {
  UniformityInfo &uniformity = manager.getResult<UniformityInfoAnalysis>(function);
  out << "uniformity of '" << function.getName() << "'\n";
  for (Instruction &instruction : instructions(function)) {
    const bool divergent = instruction.isTerminator() ? uniformity.hasDivergentTerminator(*instruction.getParent())
                                                      : uniformity.isDivergent(&instruction);
    out << (divergent ? "divergent:" : "  uniform:") << instruction << '\n';
  }
  return PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
