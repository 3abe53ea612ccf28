// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that stay functions get the kernel's parameters in front of their own (launch_abi.h), and pass them on, so
// that a query of the launch means the same in them. Variables of the program become places in its memory.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FunctionParametersPass : public llvm::PassInfoMixin<FunctionParametersPass> {
public:
  explicit FunctionParametersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
