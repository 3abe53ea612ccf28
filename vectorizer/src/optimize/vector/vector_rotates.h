// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rotates of vectors by amounts that differ between lanes, on processors without an instruction for them.
//
// LLVM 22 lowers such a rotate to two shifts, one of which is by the element's width where the amount is 0. The
// instruction correctly gives 0 then; but where LLVM finds out the amount only afterwards it folds the shift, and
// treats the result as undefined. So this pass emits the shift instruction by its intrinsic.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class VectorRotatesPass : public llvm::PassInfoMixin<VectorRotatesPass> {
public:
  explicit VectorRotatesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
