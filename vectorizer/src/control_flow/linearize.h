// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns divergent branches into masks. Afterwards every branch is uniform; a block that runs for fewer lanes than the
// function was entered with has a marker (analysis/markers.h); values merge by `select` on a mask.
//
// Expects canonicalized control flow. A guarded block runs only when at least one lane is active there, so uniform
// values in it are well defined.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LinearizePass : public llvm::PassInfoMixin<LinearizePass> {
public:
  explicit LinearizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
