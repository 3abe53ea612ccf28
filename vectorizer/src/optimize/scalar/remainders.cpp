// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/remainders.h"

#include "analysis/values/safe_divisor.h"
#include "pass_support/preserved.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// A quotient x / y whose result for y = 0 is all ones.
struct Quotient {
  BinaryOperator *division; // x divided by the safe divisor that replaces y
  Value *is_zero;           // the condition that y is zero
};

// Matches `value` as such a quotient of some x by y, in the form that safe-division gives it.
std::optional<Quotient> quotientBy(Value *value, Value *y) {
  Value *is_zero = nullptr, *quotient = nullptr;
  if (!match(value, m_Select(m_Value(is_zero), m_AllOnes(), m_Value(quotient))) ||
      !match(is_zero, m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(y), m_Zero())))
    return std::nullopt;
  Value *negated = nullptr; // x, where the quotient by -1 is computed as -x
  match(quotient, m_Select(m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(y), m_AllOnes()), m_Neg(m_Value(negated)),
                           m_Value(quotient)));
  auto *division = dyn_cast<BinaryOperator>(quotient);
  if (!division || !(division->getOpcode() == Instruction::UDiv || division->getOpcode() == Instruction::SDiv))
    return std::nullopt;
  const std::optional<SafeDivisor> divisor = safeDivisorOf(division->getOperand(1));
  if (!divisor || divisor->programs != y || divisor->replaces_minus_one != (negated == division->getOperand(0)))
    return std::nullopt;
  return Quotient{division, is_zero};
}

Instruction::BinaryOps remainderOf(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::UDiv ? Instruction::URem : Instruction::SRem;
}

// Returns whether the remainder of the same division is computed as well.
bool hasRemainder(const BinaryOperator &division) {
  const Value *x = division.getOperand(0);
  return !isa<Constant>(x) && any_of(x->users(), [&](const User *user) {
    const auto *other = dyn_cast<BinaryOperator>(user);
    return other && other->getOpcode() == remainderOf(division) && other->getOperand(0) == x &&
           other->getOperand(1) == division.getOperand(1);
  });
}

// Replaces the product if one of its factors is a quotient by the other one.
bool replaceProduct(BinaryOperator &product) {
  for (unsigned i = 0; i < 2; ++i) {
    Value *value = product.getOperand(i);
    const std::optional<Quotient> quotient = quotientBy(value, product.getOperand(1 - i));
    if (!quotient || !(value->hasOneUse() || hasRemainder(*quotient->division)))
      continue;
    assert(
        safeDivisorOf(quotient->division->getOperand(1))->programs == product.getOperand(1 - i) &&
        match(quotient->is_zero, m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(product.getOperand(1 - i)), m_Zero())) &&
        "the other factor is the program's divisor");
    IRBuilder<> b(&product);
    Value *x = quotient->division->getOperand(0);
    Value *rest = b.CreateBinOp(remainderOf(*quotient->division), x, quotient->division->getOperand(1));
    Value *difference = b.CreateSub(x, b.CreateSelect(quotient->is_zero, x, rest));
    difference->takeName(&product);
    product.replaceAllUsesWith(difference);
    product.eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses RemaindersPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *product = dyn_cast<BinaryOperator>(&instruction); product && product->getOpcode() == Instruction::Mul)
      changed |= replaceProduct(*product);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
