// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables of a program get a value that nobody knows where they are undefined, so that optimizations cannot make use
// of that; and what decides about branches, and in functions of sub-groups and work-groups, is told. To be run before
// calls are inlined; check-initialisation looks at what is left after the optimizations.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MarkInitialisationPass : public llvm::PassInfoMixin<MarkInitialisationPass> {
public:
  explicit MarkInitialisationPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
