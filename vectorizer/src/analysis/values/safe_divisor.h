// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recognizes safe divisions as defined/safe_division.h makes them: a divisor that is never zero, and selects after the
// division that replace its result where the program's divisor was replaced.
#pragma once

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// The divisor of a safe division. A program may itself write such a divisor, as in x / max(y, 1u); then no select
// follows that replaces the result.
struct SafeDivisor {
  llvm::Value *programs;   // y in umax(y, 1), or in (y + 1) < 2 ? 1 : y with an unsigned comparison
  bool replaces_minus_one; // true for the second form, which replaces -1 as well as 0
};

// Returns nothing if the divisor has neither of these forms.
std::optional<SafeDivisor> safeDivisorOf(llvm::Value *divisor);

// Returns the program's divisor if selects replace the result wherever that divisor was replaced; any result will do
// there. Otherwise returns the division's own divisor.
llvm::Value *divisorOfUsedResults(const llvm::BinaryOperator &division);

// Returns the division whose result this select replaces where the program's divisor gives none, or null for other
// selects.
const llvm::BinaryOperator *divisionBehind(const llvm::SelectInst &select);

// Creates a call that stands for the quotient of `dividend` and zero. safe-division creates it, and quotients-by-zero
// chooses the value:
//
//   i32 @lanecl.quotient.by.zero.i32(i32 %dividend)
llvm::CallInst *createQuotientByZero(llvm::IRBuilderBase &builder, llvm::Value *dividend);
bool isQuotientByZero(const llvm::Value &value);

} // namespace lanecl::vectorizer
