// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/defined_results.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// Returns the conversion of a constant to the nearest integer of the type, or null if it cannot be folded.
Constant *saturated(const CastInst &conversion, Constant *number) {
  const Intrinsic::ID saturating = isa<FPToSIInst>(conversion) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  IRBuilder<> b(conversion.getContext());
  Function *function = Intrinsic::getOrInsertDeclaration(const_cast<Module *>(conversion.getModule()), saturating,
                                                         {conversion.getType(), number->getType()});
  std::unique_ptr<CallInst> call(CallInst::Create(function, {number}));
  return ConstantFoldCall(call.get(), function, {number});
}

// Folds the conversion of a constant, and freezes any other conversion.
void defineConversion(CastInst &conversion) {
  if (conversion.hasOneUse() && isa<FreezeInst>(conversion.user_back()))
    return;
  auto *number = dyn_cast<Constant>(conversion.getOperand(0));
  Constant *known = number ? saturated(conversion, number) : nullptr;
  if (known) {
    conversion.replaceAllUsesWith(known);
    conversion.eraseFromParent();
    return;
  }
  IRBuilder<> b(conversion.getNextNode());
  b.SetCurrentDebugLocation(conversion.getDebugLoc());
  auto *frozen = cast<Instruction>(b.CreateFreeze(&conversion));
  frozen->takeName(&conversion);
  conversion.replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
}

// Keeps the index of the component that an instruction takes or replaces within the vector.
void keepIndexWithin(Instruction &instruction, unsigned operand, const VectorType &type) {
  const auto *vector = dyn_cast<FixedVectorType>(&type);
  Value *index = instruction.getOperand(operand);
  const unsigned bits = index->getType()->getIntegerBitWidth();
  if (!vector || computeKnownBits(index, instruction.getDataLayout()).getMaxValue().ult(vector->getNumElements()))
    return;
  IRBuilder<> b(&instruction);
  Constant *last = b.getInt(APInt(bits, vector->getNumElements() - 1));
  instruction.setOperand(operand, isPowerOf2_32(vector->getNumElements())
                                      ? b.CreateAnd(index, last)
                                      : b.CreateBinaryIntrinsic(Intrinsic::umin, index, last));
}

// Clears the second argument of ctlz, cttz and abs. It promises that the first one is not the number that has no
// result.
void dropPromise(IntrinsicInst &call) {
  call.setArgOperand(1, ConstantInt::getFalse(call.getContext()));
}

// Returns whether the instruction is one of these operations.
bool define(Instruction &instruction) {
  if (isa<FPToSIInst, FPToUIInst>(instruction)) {
    defineConversion(cast<CastInst>(instruction));
    return true;
  }
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction)) {
    keepIndexWithin(*extract, 1, *extract->getVectorOperandType());
    return true;
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction)) {
    keepIndexWithin(*insert, 2, *insert->getType());
    return true;
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::abs: dropPromise(*call); return true;
  default: return false;
  }
}

} // namespace

PreservedAnalyses DefinedResultsPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    changed |= define(instruction);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
