// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/frozen_constants.h"

#include "pass_support/preserved.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

PreservedAnalyses FrozenConstantsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *constant = isa<FreezeInst>(instruction) ? dyn_cast<Constant>(instruction.getOperand(0)) : nullptr;
    if (!constant)
      continue;
    Type *type = constant->getType();
    Type *part = isa<UndefValue>(constant) ? type : type->getScalarType();
    instruction.replaceAllUsesWith(Constant::replaceUndefsWith(constant, Constant::getNullValue(part)));
    instruction.eraseFromParent();
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
