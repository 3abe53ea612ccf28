// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `vector-rotates`: rotates of vectors by amounts that differ between lanes become two shifts, on processors that have
// variable shifts but no rotates:
//
//   fshl(%x, %x, %n)     ──>     shl %x, (%n & 31)  |  psrlv(%x, 32 - (%n & 31))
//
// LLVM 22 lowers such a rotate to two shifts as well, one of which is by the element's width where the amount is 0. The
// instruction correctly returns 0 then. But if LLVM finds out the amount only afterwards, it folds the shift and treats
// the result as undefined. Therefore this pass emits the shift instruction by its intrinsic, which is defined for all
// amounts. The defect is covered by "rotates by the width of the type" in tests/kernels/code_generation.cpp.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class VectorRotatesPass : public RequiredPass<VectorRotatesPass> {
public:
  explicit VectorRotatesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
