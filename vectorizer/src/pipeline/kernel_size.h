// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `kernel-size`: gives up the compilation if the optimized scalar kernel has more instructions than
// PassContext::most_instructions, because it would be too much code for the number of lanes that is being tried.
//
//   kernel of 2000 instructions, limit 1500     ──>     context.abandoned = true, no further pass runs
//
// The pass changes no IR, and giving up is not an error: the caller compiles the kernel for fewer lanes instead. It
// counts the instructions of the whole module, so kept functions count, too.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KernelSizePass : public RequiredPass<KernelSizePass> {
public:
  explicit KernelSizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
