// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the versions of kept functions that are called: one for each set of parameters for which the lanes of a call
// have values of their own. `f(x, n)` with a varying x and a uniform n calls f.vu, in which a loop to n needs no mask.
// A function has at most kMostVersions; a call for which there is no fitting one takes the one for varying parameters.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FunctionVersionsPass : public llvm::PassInfoMixin<FunctionVersionsPass> {
public:
  explicit FunctionVersionsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
