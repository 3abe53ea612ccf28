// Rotates of vectors by amounts that differ between lanes, on processors without an instruction for them.
//
// LLVM 22 makes two shifts of such a rotate, of which one is by the element's width where the amount is 0. The
// instruction gives 0 then, as it must; but where LLVM learns the amount only afterwards it computes the shift itself,
// and takes the result for undefined. So the shift is written as the instruction that is meant.
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
