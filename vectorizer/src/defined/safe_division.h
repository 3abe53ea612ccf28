// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives integer divisions a result for every operand. In LLVM, division by zero and division of the smallest integer by
// -1 are undefined behavior: optimizations conclude that the surrounding code is never executed, or that the divisor is
// not zero elsewhere. OpenCL C leaves only the result open. So the divisor is replaced before any optimization:
//
//   %q = udiv i32 %x, %y          %divisor = call i32 @llvm.umax.i32(i32 %y, i32 1)
//                                 %quotient = udiv i32 %x, %divisor
//                                 %zero = icmp eq i32 %y, 0
//                                 %by_zero = call i32 @lanecl.quotient.by.zero.i32(i32 %x)
//                                 %q = select i1 %zero, i32 %by_zero, i32 %quotient
//
// The result of x / 0 is chosen by quotients-by-zero (defined/quotients_by_zero.h). The other results are those of most
// GPUs, and x == (x / y) * y + x % y holds for all of them:
//
//   x % 0 == x    smallest / -1 == smallest    smallest % -1 == 0
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SafeDivisionPass : public RequiredPass<SafeDivisionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
