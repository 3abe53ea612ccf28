// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/freeze_casts.h"

#include "analysis/values/poison.h"
#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Whether each element of the result consists of several elements of the operand.
static bool joinsComponents(const BitCastInst &cast) {
  const auto *from = dyn_cast<FixedVectorType>(cast.getSrcTy());
  const auto *to = dyn_cast<FixedVectorType>(cast.getDestTy());
  return from && (to ? to->getNumElements() : 1) < from->getNumElements();
}

PreservedAnalyses FreezeCastsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *cast = dyn_cast<BitCastInst>(&instruction);
    if (!cast || !joinsComponents(*cast) || !mayHavePoison(*cast->getOperand(0)))
      continue;
    cast->setOperand(0, IRBuilder<>(cast).CreateFreeze(cast->getOperand(0)));
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
