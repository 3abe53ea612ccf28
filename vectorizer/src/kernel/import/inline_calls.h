// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Inlines every function into the kernel: lanes are made of one function's values. Recursion, indirect calls and
// functions without a definition are build errors.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class InlineCallsPass : public llvm::PassInfoMixin<InlineCallsPass> {
public:
  explicit InlineCallsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
