// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/lower_freezes.h"

#include "defined/defined_constant.h"
#include "pass_support/preserved.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Whether the value only goes to memory, through shuffles that keep the width of its elements.
bool isOnlyStored(const Value &value, unsigned steps_left = 6) {
  return all_of(value.uses(), [&](const Use &use) {
    if (isa<StoreInst>(use.getUser()))
      return use.getOperandNo() == 0;
    if (const auto *call = dyn_cast<IntrinsicInst>(use.getUser()))
      return call->getIntrinsicID() == Intrinsic::masked_store && use.getOperandNo() == 0;
    return isa<ShuffleVectorInst>(use.getUser()) && steps_left != 0 && isOnlyStored(*use.getUser(), steps_left - 1);
  });
}

// Returns what replaces the freeze, or null if it stays.
Value *replacement(const FreezeInst &freeze) {
  Value *frozen = freeze.getOperand(0);
  Type *type = frozen->getType();
  if (auto *constant = dyn_cast<Constant>(frozen))
    return definedConstant(*constant);
  const bool is_narrow =
      isa<FPToSIInst, FPToUIInst>(frozen) && frozen->hasOneUse() && type->getScalarSizeInBits() <= 16;
  return is_narrow && isOnlyStored(freeze) ? frozen : nullptr;
}

} // namespace

PreservedAnalyses LowerFreezesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *freeze = dyn_cast<FreezeInst>(&instruction);
    Value *value = freeze ? replacement(*freeze) : nullptr;
    if (!value)
      continue;
    freeze->replaceAllUsesWith(value);
    freeze->eraseFromParent();
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
