// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Chooses the dimension along which the lanes of a free row lie: the one whose neighbours are neighbours in memory. A
// kernel that reads a[get_global_id(0) * n + get_global_id(1)] has its lanes along y, where they load vectors.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Changes the class of `context` and no IR. Does nothing unless the class leaves a choice (LaunchClass::row_axes).
class RowAxisPass : public llvm::PassInfoMixin<RowAxisPass> {
public:
  explicit RowAxisPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
