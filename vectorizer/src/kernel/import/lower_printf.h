// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of printf pack their arguments into private memory and become calls of the printf primitive: the layout is in
// vectorizer/contract/abi.h, Services::printf. To be run before LLVM treats printf as the C library's.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerPrintfPass : public llvm::PassInfoMixin<LowerPrintfPass> {
public:
  explicit LowerPrintfPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
