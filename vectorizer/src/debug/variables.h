// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// debug-variables: makes every source variable of a kernel built with -g visible at every statement.
//
// An optimized kernel keeps a twin of each variable: every store is done to the twin, too, which is never read, and
// the variable itself is optimized freely. Variables whose address is used otherwise stay in memory themselves, and
// without optimization all do.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DebugVariablesPass : public llvm::PassInfoMixin<DebugVariablesPass> {
public:
  explicit DebugVariablesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
