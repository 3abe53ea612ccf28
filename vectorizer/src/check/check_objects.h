// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of private variables and constants report where they leave them; variables and arguments in local memory and
// program scope variables are marked, so that check-accesses knows them after the optimizations. Functions that stay
// get the memory of their pointers, see passed_memory.h. To be run behind inline-calls and before optimizations: what
// these know of a variable's size they use, and an access outside is gone.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckObjectsPass : public llvm::PassInfoMixin<CheckObjectsPass> {
public:
  explicit CheckObjectsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  llvm::SmallVector<llvm::Function *> checkedFunctions(llvm::Module &module) const;

  PassContext &context;
};

} // namespace lanecl::vectorizer
