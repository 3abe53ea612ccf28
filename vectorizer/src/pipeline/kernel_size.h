// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Abandons an optimized scalar kernel that is too much code for the lanes that are tried.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KernelSizePass : public llvm::PassInfoMixin<KernelSizePass> {
public:
  explicit KernelSizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
