// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Barriers and other functions of work-groups report where a part of a sub-group calls them, or calls them with other
// arguments, and tell that a sub-group has reached them. To be run before they are inlined.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckWorkGroupsPass : public llvm::PassInfoMixin<CheckWorkGroupsPass> {
public:
  explicit CheckWorkGroupsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
