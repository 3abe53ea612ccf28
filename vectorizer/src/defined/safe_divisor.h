// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The divisor that a safe division has in place of the program's: defined/safe_division.h.
#pragma once

#include "llvm/IR/Value.h"

namespace lanecl::vectorizer {

// The program's divisor; null if `divisor` does not stand for another one.
llvm::Value *programsDivisor(llvm::Value *divisor);

} // namespace lanecl::vectorizer
