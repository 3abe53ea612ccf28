// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `half-comparisons`: on processors without half arithmetic, vectors of halves are compared as floats:
//
//   fcmp olt <8 x half> %x, %y     ──>     fcmp olt <8 x float> (fpext %x), (fpext %y)
//
// LLVM's type legalization does the same later, but takes the mask for one of 16-bit elements: it packs the mask of the
// floats and unpacks it again where it selects other floats. The pass runs after instruction combining, which would
// narrow a comparison of floats that were halves.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class HalfComparisonsPass : public llvm::PassInfoMixin<HalfComparisonsPass> {
public:
  explicit HalfComparisonsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
