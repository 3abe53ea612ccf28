// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of global and constant memory report where they leave the memory that their pointer belongs to. To be run on
// the optimized scalar kernel: what is uniform or strided is tested as such. The reports so far get their places.
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

// Only gives the reports their places.
class PlaceReportsPass : public llvm::PassInfoMixin<PlaceReportsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
