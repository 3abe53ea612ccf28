// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What decides about branches, addresses and functions of all lanes reports where it depends on what nobody has
// written. To be run on the optimized scalar kernel that mark-initialisation has prepared, before passes that remove
// the marks of check-objects.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckInitialisationPass : public llvm::PassInfoMixin<CheckInitialisationPass> {
public:
  explicit CheckInitialisationPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
