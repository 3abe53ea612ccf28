// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/safe_divisor.h"

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

} // namespace lanecl::vectorizer
