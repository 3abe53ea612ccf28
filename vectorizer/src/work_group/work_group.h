// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `work-group`: the function the scheduler calls (abi::WorkGroupFunction). It runs the sub-groups of a row of
// work-groups: whole ones without a mask, the last one of a work-group under a mask when it has fewer lanes.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WorkGroupPass : public llvm::PassInfoMixin<WorkGroupPass> {
public:
  explicit WorkGroupPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

// The symbol of that function: "saxpy.w16.256x1x1", or "saxpy.w16.any" when the class knows no size.
std::string workGroupName(llvm::StringRef kernel, const LaunchClass &launch);

} // namespace lanecl::vectorizer
