// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses what a division by zero results in, which OpenCL C leaves open: all bits set, as on most GPUs, but 0 where
// the program itself shows that the dividend is always 0. Compilers compute `0 / y` without knowing y, and programs
// have come to rely on it:
//
//   int row = 0;                     row % height is 0, so that its quotient is 0, too,
//   row = (row % height) / ratio;    even if the host program has set the ratio to 0
//
// It is chosen as soon as functions are inlined, since a function may be called with a dividend of 0, and before the
// launch is known: that the only local id is 0 makes no difference to `get_local_id(0) / y`. Whether variables are
// still in memory makes none, either, so that the result is the same with and without optimization.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class QuotientsByZeroPass : public llvm::PassInfoMixin<QuotientsByZeroPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
