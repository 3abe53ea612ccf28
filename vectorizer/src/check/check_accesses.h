// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of global, local and constant memory report where they leave the memory that their pointer belongs to, or
// what of it the host allows, and where the pointer is not aligned as its type promises. To be
// run on the optimized scalar kernel: what is uniform or strided is tested as such. What check-objects has marked is
// found again.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckAccessesPass : public llvm::PassInfoMixin<CheckAccessesPass> {
public:
  explicit CheckAccessesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
