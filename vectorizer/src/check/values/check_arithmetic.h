// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-arithmetic`: operations and calls of mathematical functions report if their result is undefined, or if it is
// NaN although no operand is:
//
//                                      %broken = icmp eq i32 %y, 0
//   %q = sdiv i32 %x, %y     ──>       br %broken, report, divide
//                                      %q = sdiv i32 %x, %y
//
// For vectors, the first component that breaks the rule is reported. The pass only inserts reports, so it cannot change
// the kernel's results. Undefined results become some value later, by safe-division and defined-results.
// Runs before calls are inlined, while their names say what they compute.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckArithmeticPass : public RequiredPass<CheckArithmeticPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
