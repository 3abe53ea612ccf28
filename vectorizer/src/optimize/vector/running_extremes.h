// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// fmax and fmin with an operand that is never NaN become a comparison and a select, which are one instruction.
//
// Without that knowledge a maximum takes three instructions, since x86's gives its second operand when either is NaN.
// LLVM finds it for constants, but not for the running extreme of a loop, which begins as a number and so stays one.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RunningExtremesPass : public llvm::PassInfoMixin<RunningExtremesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
