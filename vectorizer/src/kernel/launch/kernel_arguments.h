// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `kernel-arguments`: gives the kernel the signature of lanes functions (launch_abi.h). Its arguments become loads from
// the packed argument block, its __local variables places in the worker's local memory:
//
//   define void @k(ptr %out, i32 %n)     ──>     define void @k(ptr %launch, ptr %worker, …)
//                                                %out = load ptr, %arguments + 0; %n = load i32, %arguments + 8
//
// The loads are invariant, because nothing writes the block while the kernel runs.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KernelArgumentsPass : public RequiredPass<KernelArgumentsPass> {
public:
  explicit KernelArgumentsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
