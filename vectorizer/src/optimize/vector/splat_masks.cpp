// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/splat_masks.h"

#include "pass_support/preserved.h"

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

constexpr unsigned kLanes = 32;

// Returns the use of the mask's bits that are splat, or null if the instruction does not splat the bits of a mask.
Use *splatMask(Instruction &instruction) {
  Instruction *insertion;
  Value *mask;
  if (!match(&instruction, m_Shuffle(m_Instruction(insertion), m_Undef(), m_ZeroMask())) ||
      !match(insertion, m_InsertElt(m_Undef(), m_BitCast(m_Value(mask)), m_ZeroInt())))
    return nullptr;
  const auto *type = dyn_cast<FixedVectorType>(mask->getType());
  const bool is_mask = type && type->getNumElements() == kLanes && type->getElementType()->isIntegerTy(1);
  return is_mask ? &insertion->getOperandUse(1) : nullptr;
}

// Returns whether the mask's lanes are in two mask registers, as is the result of comparing two vector registers each.
bool isInHalves(const Value &mask) {
  constexpr unsigned kRegisterBits = 512;
  const auto *compare = dyn_cast<CmpInst>(&mask);
  return compare && compare->getOperand(0)->getType()->getPrimitiveSizeInBits() > kRegisterBits;
}

// Joins the bits in general registers, which takes fewer cycles than joining them in one mask register.
Value *joinHalves(IRBuilderBase &b, Value *mask) {
  constexpr unsigned kHalf = kLanes / 2;
  const auto half = [&](unsigned first) {
    Value *lanes = b.CreateShuffleVector(mask, createSequentialMask(first, kHalf, 0));
    return b.CreateZExt(b.CreateBitCast(lanes, b.getIntNTy(kHalf)), b.getInt32Ty());
  };
  return b.CreateOr(b.CreateShl(half(kHalf), kHalf), half(0));
}

} // namespace

PreservedAnalyses SplatMasksPass::run(Function &function, FunctionAnalysisManager &) {
  if (!context.has("+avx512bw,+bmi2"))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    Use *bits = splatMask(instruction);
    if (!bits)
      continue;
    IRBuilder<> b(cast<Instruction>(bits->getUser()));
    if (Value *mask = cast<BitCastInst>(bits->get())->getOperand(0); isInHalves(*mask))
      bits->set(joinHalves(b, mask));
    else // bzhi keeps the lowest 32 bits, which are all of them
      bits->set(b.CreateIntrinsic(Intrinsic::x86_bmi_bzhi_32, {bits->get(), b.getInt32(kLanes)}));
    changed = true;
  }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
