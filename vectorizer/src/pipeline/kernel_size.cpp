// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/kernel_size.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Operator.h"

#include <cmath>

using namespace llvm;

namespace lanecl::vectorizer {

// What one more loop around an instruction makes it count.
static constexpr double kTurns = 8;
// Of all instructions, those that say what a kernel computes with.
static constexpr double kShare = 0.25;

PreservedAnalyses KernelSizePass::run(Function &function, FunctionAnalysisManager &manager) {
  const LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  uint64_t instructions = 0;
  double doubles = 0, floats = 0, all = 0;
  for (const BasicBlock &block : function) {
    instructions += block.size();
    const double weight = std::pow(kTurns, loops.getLoopDepth(&block));
    all += weight * double(block.size());
    for (const Instruction &instruction : block)
      if (isa<FPMathOperator>(instruction))
        (instruction.getType()->getScalarType()->isDoubleTy() ? doubles : floats) += weight;
  }
  const bool mostly_doubles = doubles > floats && doubles > kShare * all;
  const LaneLimits &limits = context.limits;
  context.abandoned =
      (limits.most_instructions != 0 && instructions > limits.most_instructions) || (!limits.doubles && mostly_doubles);
  return PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
