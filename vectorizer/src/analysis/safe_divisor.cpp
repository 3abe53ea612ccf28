// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/safe_divisor.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

Value *programsDivisor(Value *divisor) {
  Value *program = nullptr;
  CmpPredicate predicate;
  if (match(divisor, m_Intrinsic<Intrinsic::umax>(m_Value(program), m_One())))
    return program;
  // (y + 1) < 2 ? 1 : y, unsigned
  if (match(divisor, m_Select(m_ICmp(predicate, m_Add(m_Value(program), m_One()), m_SpecificInt(2)), m_One(),
                              m_Deferred(program))) &&
      predicate == CmpInst::ICMP_ULT)
    return program;
  return nullptr;
}

const BinaryOperator *divisionBehind(const SelectInst &select) {
  const Value *value = select.getFalseValue();
  if (const auto *inner = dyn_cast<SelectInst>(value)) // the smallest integer by -1
    value = inner->getFalseValue();
  const auto *division = dyn_cast<BinaryOperator>(value);
  return division && division->isIntDivRem() && programsDivisor(division->getOperand(1)) ? division : nullptr;
}

} // namespace lanecl::vectorizer
