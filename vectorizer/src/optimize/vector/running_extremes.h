// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `running-extremes`: fmax and fmin with an operand that is never NaN become a comparison and a select, for which the
// code generator emits one instruction:
//
//   %m = call float @llvm.maxnum(float %x, float %best)     ──>     %m = select (fcmp ogt %x, %best), %x, %best
//
// Without that knowledge a maximum takes three instructions, because x86's returns its second operand if either one is
// NaN. LLVM knows that constants are no NaN, but not that the running extreme of a loop is none: it starts as a number,
// and an extreme of a number and anything is a number again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RunningExtremesPass : public llvm::PassInfoMixin<RunningExtremesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
