// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "defined/defined_constant.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace lanecl::vectorizer {

// A vector such as <undef, poison> is no UndefValue, but replaceUndefsWith() treats it as one undefined value. Then the
// replacement has to be a vector, and otherwise a scalar.
Constant *definedConstant(Constant &constant) {
  const bool as_whole = PatternMatch::match(&constant, PatternMatch::m_Undef());
  Type *replaced = as_whole ? constant.getType() : constant.getType()->getScalarType();
  return Constant::replaceUndefsWith(&constant, Constant::getNullValue(replaced));
}

} // namespace lanecl::vectorizer
