// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lower-debug: the last pass over a kernel built with -g. Describes the variables of its debug frame, and makes of each
// statement's marker one that code generation keeps (codegen/statement_locations.h).
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerDebugPass : public llvm::PassInfoMixin<LowerDebugPass> {
public:
  explicit LowerDebugPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
