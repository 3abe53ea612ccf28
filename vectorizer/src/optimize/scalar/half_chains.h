// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `half-chains`: chains of half operations stay in float where the program permits it. A processor without half
// arithmetic extends the operands of each operation to float and rounds its result. If the program permits excess
// precision (analysis/values/excess_precision.h), the next operation takes the unrounded float, and loops carry it:
//
//   %a = fmul half %x, %y            %a = fmul float (fpext %x), (fpext %y)
//   %b = fadd half %a, %z    ──>     %b = fadd float %a, (fpext %z)
//   store half %b                    store half (fptrunc %b)
//
// Stores to memory, conversions that the program writes, and exchanges between lanes always round to half. Only
// operations marked as relaxed are changed, so a program that does not permit excess precision keeps every rounding.
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
