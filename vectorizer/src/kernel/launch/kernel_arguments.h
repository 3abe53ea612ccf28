// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives the kernel the signature of lanes functions (launch_abi.h): its arguments become loads from the packed argument
// block, its __local variables places in the worker's local memory.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KernelArgumentsPass : public llvm::PassInfoMixin<KernelArgumentsPass> {
public:
  explicit KernelArgumentsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
