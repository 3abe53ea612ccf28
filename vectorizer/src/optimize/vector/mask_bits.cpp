// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/mask_bits.h"

#include "pass_support/preserved.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kRegisterLanes = 8, kElementBits = 32;

// Returns whether the comparison is of two or four registers. For one register LLVM uses movmsk itself.
bool fillsRegisters(const CmpInst &mask) {
  const auto *type = dyn_cast<FixedVectorType>(mask.getOperand(0)->getType());
  return type && type->getScalarSizeInBits() == kElementBits &&
         (type->getNumElements() == 2 * kRegisterLanes || type->getNumElements() == 4 * kRegisterLanes);
}

// Returns whether the user asks if all lanes are in the mask, or none: a vector instruction tests that.
bool isTest(const User *user) {
  const auto *test = dyn_cast<ICmpInst>(user);
  return test && test->isEquality() && match(test->getOperand(1), m_CombineOr(m_Zero(), m_AllOnes()));
}

// Takes the sign bits of each register and joins them.
Value *joinedSigns(IRBuilderBase &b, CmpInst &mask) {
  const unsigned lanes = cast<FixedVectorType>(mask.getType())->getNumElements();
  Value *wide = b.CreateSExt(&mask, FixedVectorType::get(b.getInt32Ty(), lanes)), *bits = nullptr;
  for (unsigned first = 0; first < lanes; first += kRegisterLanes) {
    Value *part = b.CreateShuffleVector(wide, createSequentialMask(first, kRegisterLanes, 0));
    Value *signs = b.CreateIntrinsic(Intrinsic::x86_avx_movmsk_ps_256,
                                     {b.CreateBitCast(part, FixedVectorType::get(b.getFloatTy(), kRegisterLanes))});
    bits = bits == nullptr ? signs : b.CreateOr(bits, b.CreateShl(signs, first));
  }
  return b.CreateTrunc(bits, b.getIntNTy(lanes));
}

} // namespace

PreservedAnalyses MaskBitsPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.has("+avx2") || context.has("+avx512bw"))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *bits = dyn_cast<BitCastInst>(&instruction);
    auto *mask = bits && bits->getType()->isIntegerTy() ? dyn_cast<CmpInst>(bits->getOperand(0)) : nullptr;
    if (!mask || !fillsRegisters(*mask) || all_of(bits->users(), isTest))
      continue;
    IRBuilder<> b(bits);
    bits->replaceAllUsesWith(joinedSigns(b, *mask));
    bits->eraseFromParent();
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
