// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/values/safe_divisor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

std::optional<SafeDivisor> safeDivisorOf(Value *divisor) {
  Value *programs = nullptr;
  if (match(divisor, m_Intrinsic<Intrinsic::umax>(m_Value(programs), m_One())))
    return SafeDivisor{programs, false};
  if (match(divisor, m_Select(m_SpecificICmp(CmpInst::ICMP_ULT, m_Add(m_Value(programs), m_One()), m_SpecificInt(2)),
                              m_One(), m_Deferred(programs))))
    return SafeDivisor{programs, true};
  return std::nullopt;
}

// Whether only selects use the result, and they take another value where the divisor is zero (if `at_zero`) and where
// it is -1 (if `at_minus_one`).
static bool isReplaced(const Value &result, const Value *divisor, bool at_zero, bool at_minus_one) {
  if (!at_zero && !at_minus_one)
    return true;
  return all_of(result.users(), [&](const User *user) {
    const auto *select = dyn_cast<SelectInst>(user);
    if (!select || select->getFalseValue() != &result || select->getTrueValue() == &result)
      return false;
    const auto asks = [&](auto constant) {
      return match(select->getCondition(), m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(divisor), constant));
    };
    if (asks(m_ZeroInt()))
      return isReplaced(*select, divisor, false, at_minus_one);
    return asks(m_AllOnes()) && isReplaced(*select, divisor, at_zero, false);
  });
}

Value *divisorOfUsedResults(const BinaryOperator &division) {
  const std::optional<SafeDivisor> divisor = safeDivisorOf(division.getOperand(1));
  return divisor && isReplaced(division, divisor->programs, true, divisor->replaces_minus_one) ? divisor->programs
                                                                                               : division.getOperand(1);
}

const BinaryOperator *divisionBehind(const SelectInst &select) {
  const Value *value = select.getFalseValue();
  // The inner select replaces the smallest integer divided by -1.
  if (const auto *inner = dyn_cast<SelectInst>(value))
    value = inner->getFalseValue();
  const auto *division = dyn_cast<BinaryOperator>(value);
  return division && division->isIntDivRem() && safeDivisorOf(division->getOperand(1)) ? division : nullptr;
}

static constexpr StringLiteral kQuotientByZero = "lanecl.quotient.by.zero.";

CallInst *createQuotientByZero(IRBuilderBase &builder, Value *dividend) {
  Type *type = dividend->getType();
  assert(type->isIntOrIntVectorTy() && "divisions of other numbers are defined");
  std::string name = (kQuotientByZero + "i" + Twine(type->getScalarSizeInBits())).str();
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    name += "x" + utostr(vector->getNumElements());
  auto *callee = cast<Function>(builder.GetInsertBlock()
                                    ->getModule()
                                    ->getOrInsertFunction(name, FunctionType::get(type, {type}, false))
                                    .getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  callee->setSpeculatable();
  return builder.CreateCall(callee, {dividend}, "by_zero");
}

bool isQuotientByZero(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName().starts_with(kQuotientByZero);
}

} // namespace lanecl::vectorizer
