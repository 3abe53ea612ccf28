// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `mask-bits`: on AVX2, the bits of a mask in two or four registers are taken from each register and joined in a
// general register.
//
//   %i = bitcast <16 x i1> %m to i16     ──>     %i = movmsk(low half) | movmsk(high half) << 8
//
// LLVM packs the registers into one first and takes the bits of that. The packing is not needed, because movmsk reads
// only the sign of each element. Tests for all or no lanes stay as they are.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MaskBitsPass : public llvm::PassInfoMixin<MaskBitsPass> {
public:
  explicit MaskBitsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
