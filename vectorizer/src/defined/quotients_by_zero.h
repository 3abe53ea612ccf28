// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses the result of a division by zero, which OpenCL C leaves open. It is all bits set, as on most GPUs, but 0 if
// the program itself shows that the dividend is always 0:
//
//   call @lanecl.quotient.by.zero.i32(%x)   ->   i32 -1
//   call @lanecl.quotient.by.zero.i32(0)    ->   i32 0
//
// Compilers compute `0 / y` without knowing y, and programs have come to rely on that:
//
//   int row = 0;                     row % height is 0, so that its quotient is 0, too,
//   row = (row % height) / ratio;    even if the host program has set the ratio to 0
//
// The pass runs as soon as functions are inlined, because a function may be called with a dividend of 0. It runs before
// the launch is known: a launch whose only local id is 0 makes no difference to `get_local_id(0) / y`. It follows zeros
// through variables in memory, too, so that the result is the same with and without optimization. Any result is right;
// what matters is that it is always the same one.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class QuotientsByZeroPass : public RequiredPass<QuotientsByZeroPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
