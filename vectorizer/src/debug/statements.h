// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// debug-statements: marks where each line of the source begins to be executed, in kernels built with -g.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DebugStatementsPass : public llvm::PassInfoMixin<DebugStatementsPass> {
public:
  explicit DebugStatementsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
