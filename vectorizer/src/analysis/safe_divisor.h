// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recognizes what safe divisions consist of (defined/safe_division.h): a divisor that is never zero, and selects that
// give the result where the program's divisor was replaced.
#pragma once

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// A program may contain such a divisor itself, as x / max(y, 1u): then nothing replaces the result.
struct SafeDivisor {
  llvm::Value *programs;   // y of umax(y, 1), or of (y + 1) < 2 ? 1 : y, which is unsigned
  bool replaces_minus_one; // the latter
};

std::optional<SafeDivisor> safeDivisorOf(llvm::Value *divisor);

// The program's divisor of a safe division, where any result will do if that has none, because a select replaces it;
// else the division's own divisor.
llvm::Value *divisorOfUsedResults(const llvm::BinaryOperator &division);

// The division whose result a select replaces where the program's divisor has none; null for other selects.
const llvm::BinaryOperator *divisionBehind(const llvm::SelectInst &select);

// A call that stands for the quotient of `dividend` and zero, from safe-division to quotients-by-zero, which chooses
// it:
//   i32 @lanecl.quotient.by.zero.i32(i32 %dividend)
llvm::CallInst *createQuotientByZero(llvm::IRBuilderBase &builder, llvm::Value *dividend);
bool isQuotientByZero(const llvm::Value &value);

} // namespace lanecl::vectorizer
