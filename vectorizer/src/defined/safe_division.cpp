// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/safe_division.h"

#include "analysis/values/safe_divisor.h"
#include "pass_support/preserved.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

bool isSigned(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

bool isRemainder(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
}

// Whether the division is signed and the dividend may be the smallest integer.
bool mayOverflow(const BinaryOperator &division) {
  return isSigned(division) && ComputeNumSignBits(division.getOperand(0), division.getDataLayout()) == 1;
}

// Whether the division needs no change: it is by a constant, which LLVM knows how to optimize, or it is safe already.
bool isSafe(const BinaryOperator &division) {
  const auto is_safe = [&](const APInt &divisor) {
    return !divisor.isZero() && !(divisor.isAllOnes() && mayOverflow(division));
  };
  if (match(division.getOperand(1), m_CheckedInt(is_safe)))
    return true;
  const std::optional<SafeDivisor> divisor = safeDivisorOf(division.getOperand(1));
  return divisor && (divisor->replaces_minus_one || !mayOverflow(division));
}

// Replaces the divisor, and selects the results for the divisors that were replaced.
void makeSafe(BinaryOperator &division) {
  assert(division.isIntDivRem() && !isSafe(division) && "a division that may trap");
  IRBuilder<> b(&division);
  Value *x = division.getOperand(0), *y = division.getOperand(1);
  Type *type = y->getType();
  Constant *one = ConstantInt::get(type, 1), *all_ones = Constant::getAllOnesValue(type);
  const bool overflows = mayOverflow(division);
  Value *divisor = nullptr;
  if (overflows) {
    Value *is_unsafe = b.CreateICmpULT(b.CreateAdd(y, one), ConstantInt::get(type, 2));
    divisor = b.CreateSelect(is_unsafe, one, y, "divisor");
  } else {
    divisor = b.CreateBinaryIntrinsic(Intrinsic::umax, y, one, nullptr, "divisor");
  }
  Instruction *safe = division.clone();
  safe->setOperand(1, divisor);
  Value *result = b.Insert(safe);
  assert((isa<Constant>(divisor) || (safeDivisorOf(divisor) && safeDivisorOf(divisor)->programs == y)) &&
         "analyses recognize the divisor");
  // A remainder needs no select: by 1 instead of -1 it is 0, which is right.
  if (overflows && !isRemainder(division))
    result = b.CreateSelect(b.CreateICmpEQ(y, all_ones), b.CreateNeg(x), result);
  Value *is_zero = b.CreateIsNull(y);
  result = b.CreateSelect(is_zero, isRemainder(division) ? x : createQuotientByZero(b, x), result);
  result->takeName(&division);
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
}

} // namespace

PreservedAnalyses SafeDivisionPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<BinaryOperator *> unsafe;
  for (Instruction &instruction : instructions(function))
    if (auto *division = dyn_cast<BinaryOperator>(&instruction); division && division->isIntDivRem())
      if (!isSafe(*division))
        unsafe.push_back(division);
  for (BinaryOperator *division : unsafe)
    makeSafe(*division);
  assert(none_of(instructions(function),
                 [](const Instruction &instruction) {
                   return instruction.isIntDivRem() && !isSafe(cast<BinaryOperator>(instruction));
                 }) &&
         "no division may trap");
  return preservedWithCfg(!unsafe.empty());
}

} // namespace lanecl::vectorizer
