// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `vector-optimize`: LLVM's optimizations on the finished work-group function, for the processor that it will run on.
// The analyses of earlier passes are discarded, because those take the lanes for their target.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class VectorOptimizePass : public RequiredPass<VectorOptimizePass> {
public:
  explicit VectorOptimizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
