// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `mask-registers`: on AVX2 and SSE, gives masks the element width of the vectors that they select from.
//
// There a mask is a vector register whose elements are as wide as the compared ones. LLVM makes that choice for one
// comparison at a time: a <W x i1> that is combined from others, or live across a loop or a block, becomes a vector of
// bytes, which is packed and unpacked at every use. This pass computes such masks as <W x iB> of zeros and minus ones,
// where B is the width of most values that they are used with:
//
//   %c = icmp slt <8 x i32> %x, %y              %c.wide = sext <8 x i1> %c to <8 x i32>
//   %m = and <8 x i1> %c, %d           ──>      %m.wide = and <8 x i32> %c.wide, %d.wide
//   select <8 x i1> %m, …                       %m = icmp slt <8 x i32> %m.wide, 0, select <8 x i1> %m, …
//
// The sign extension of a comparison and the test of a sign are free, as comparisons write and blends test all bits or
// the sign of each element. On AVX-512, which has mask registers, the pass does nothing.
//
// Runs after the last instruction combining, which would turn the vectors into <W x i1> again.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MaskRegistersPass : public llvm::PassInfoMixin<MaskRegistersPass> {
public:
  explicit MaskRegistersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
