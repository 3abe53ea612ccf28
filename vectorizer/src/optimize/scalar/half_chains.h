// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chains of half operations stay in float where the program permits it.
//
// A processor without half arithmetic extends the operands of each operation to float and rounds its result. Where the
// program permits excess precision (analysis/excess_precision.h), the next operation of a chain takes the float as it
// is, and loops carry it. Stores, conversions that the program writes, and exchanges between lanes always get a half.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class HalfChainsPass : public llvm::PassInfoMixin<HalfChainsPass> {
public:
  explicit HalfChainsPass(const PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  const PassContext &context;
};

} // namespace lanecl::vectorizer
