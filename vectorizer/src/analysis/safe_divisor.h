// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recognizes the instructions of safe divisions: defined/safe_division.h.
#pragma once

#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

// The program's divisor; null if `divisor` does not stand for another one.
llvm::Value *programsDivisor(llvm::Value *divisor);

// The division whose result a select replaces where the program's divisor has none; null for other selects.
const llvm::BinaryOperator *divisionBehind(const llvm::SelectInst &select);

} // namespace lanecl::vectorizer
