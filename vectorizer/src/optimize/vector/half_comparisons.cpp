// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/half_comparisons.h"

#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses HalfComparisonsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.target || context.has("+avx512fp16"))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *comparison = dyn_cast<FCmpInst>(&instruction);
    if (!comparison || !comparison->getType()->isVectorTy())
      continue;
    auto *type = cast<VectorType>(comparison->getOperand(0)->getType());
    if (!type->getElementType()->isHalfTy())
      continue;
    IRBuilder<> b(comparison);
    for (Use &operand : comparison->operands())
      operand = b.CreateFPExt(operand, type->getWithNewType(b.getFloatTy()));
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
