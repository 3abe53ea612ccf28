// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `function-parameters`: functions that stay get the kernel's parameters before their own (launch_abi.h) and pass them
// on, so that a query of the launch means the same in them:
//
//   define float @f(float %x)      ──>     define float @f(ptr %launch, …, ptr %scratch, float %x)
//   call float @f(float %y)                call float @f(ptr %launch, …, ptr %scratch, float %y)
//
// Program scope variables that they use become places in the program's memory.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FunctionParametersPass : public RequiredPass<FunctionParametersPass> {
public:
  explicit FunctionParametersPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
