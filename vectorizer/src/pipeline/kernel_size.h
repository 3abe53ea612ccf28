// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures the optimized scalar kernel for the choice of its lanes: how much code it is, and whether it mostly computes
// with doubles, which take two registers where floats take one.
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
