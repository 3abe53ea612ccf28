// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of local and global memory, and what orders them, are told to the run time, which finds those that
// work-items make to the same bytes with nothing between that orders them. To be run on the optimized scalar kernel.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckRacesPass : public llvm::PassInfoMixin<CheckRacesPass> {
public:
  explicit CheckRacesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
