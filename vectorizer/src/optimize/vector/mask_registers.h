// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// On AVX2 and SSE, gives masks the element width of the vectors that they select from.
//
// There a mask is a vector register whose elements are as wide as the compared ones. LLVM makes that choice for one
// comparison at a time: a <W x i1> that is combined from others, or live across a loop or a block, becomes a vector of
// bytes, packed and unpacked at every use. This pass computes such masks as <W x iB> of zeros and minus ones, with B
// the width of most values that they are used with. On AVX-512, which has mask registers, it does nothing.
//
// Runs last before code generation: instruction combining would turn the vectors into <W x i1> again.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MaskRegistersPass : public llvm::PassInfoMixin<MaskRegistersPass> {
public:
  explicit MaskRegistersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
