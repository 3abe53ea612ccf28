// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Without arithmetic of halves, vectors of them are compared as floats.
//
// LLVM does the same later, but takes the mask for one of 16-bit elements, which it packs from those of the floats and
// unpacks where it selects other floats. Instruction combining narrows comparisons of floats, too, if they were halves.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class HalfComparisonsPass : public llvm::PassInfoMixin<HalfComparisonsPass> {
public:
  explicit HalfComparisonsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
