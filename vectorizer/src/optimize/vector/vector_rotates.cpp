// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/vector_rotates.h"

#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

namespace {

// An instruction that shifts each element right by its own amount. Amounts of the element's width or more give 0.
struct Shift {
  Intrinsic::ID instruction;
  unsigned bits; // the size of the vector
};

// Returns the shifts for elements that the processor can shift but not rotate, those of wide vectors first.
SmallVector<Shift> shiftsFor(const MCSubtargetInfo &processor, unsigned element_bits) {
  const bool avx512 = processor.checkFeatures("+avx512vl"), avx2 = processor.checkFeatures("+avx2");
  if (element_bits == 32 && avx2 && !avx512)
    return {{Intrinsic::x86_avx2_psrlv_d_256, 256}, {Intrinsic::x86_avx2_psrlv_d, 128}};
  if (element_bits == 64 && avx2 && !avx512)
    return {{Intrinsic::x86_avx2_psrlv_q_256, 256}, {Intrinsic::x86_avx2_psrlv_q, 128}};
  if (element_bits == 16 && avx512 && processor.checkFeatures("+avx512bw,-avx512vbmi2"))
    return {{Intrinsic::x86_avx512_psrlv_w_512, 512},
            {Intrinsic::x86_avx512_psrlv_w_256, 256},
            {Intrinsic::x86_avx512_psrlv_w_128, 128}};
  return {};
}

// Shifts register by register.
Value *shiftRight(IRBuilder<> &b, Value *value, Value *amount, const Shift &shift) {
  auto *type = cast<FixedVectorType>(value->getType());
  const unsigned part_size = shift.bits / type->getScalarSizeInBits(), count = type->getNumElements();
  assert(count % part_size == 0 && "whole registers");
  Value *result = PoisonValue::get(type);
  for (unsigned first = 0; first < count; first += part_size) {
    auto *part_type = FixedVectorType::get(type->getElementType(), part_size);
    const auto part = [&](Value *whole) {
      return part_size == count ? whole : b.CreateExtractVector(part_type, whole, b.getInt64(first));
    };
    Value *shifted = b.CreateIntrinsic(shift.instruction, {}, {part(value), part(amount)});
    result = part_size == count ? shifted : b.CreateInsertVector(type, result, shifted, b.getInt64(first));
  }
  return result;
}

// Expands a rotate, which is a funnel shift of a value and itself, by a variable amount.
bool expand(IntrinsicInst &rotate, const MCSubtargetInfo &processor) {
  const Intrinsic::ID id = rotate.getIntrinsicID();
  auto *type = dyn_cast<FixedVectorType>(rotate.getType());
  if ((id != Intrinsic::fshl && id != Intrinsic::fshr) || !type || isa<Constant>(rotate.getArgOperand(2)) ||
      rotate.getArgOperand(0) != rotate.getArgOperand(1))
    return false;
  const unsigned element_bits = type->getScalarSizeInBits();
  const unsigned bits = element_bits * type->getNumElements();
  const SmallVector<Shift> shifts = shiftsFor(processor, element_bits);
  const auto *shift = find_if(shifts, [&](const Shift &candidate) { return bits % candidate.bits == 0; });
  if (shift == shifts.end())
    return false;
  IRBuilder<> b(&rotate);
  Value *value = rotate.getArgOperand(0), *amount = rotate.getArgOperand(2);
  Value *left = b.CreateAnd(id == Intrinsic::fshl ? amount : b.CreateNeg(amount), element_bits - 1);
  Value *right = b.CreateSub(ConstantInt::get(type, element_bits), left);
  Value *result = b.CreateOr(b.CreateShl(value, left), shiftRight(b, value, right, *shift));
  result->takeName(&rotate);
  rotate.replaceAllUsesWith(result);
  rotate.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses VectorRotatesPass::run(Function &function, FunctionAnalysisManager &) {
  const MCSubtargetInfo *processor = context.target ? context.target->getMCSubtargetInfo() : nullptr;
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *rotate = dyn_cast<IntrinsicInst>(&instruction); rotate && processor)
      changed |= expand(*rotate, *processor);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
