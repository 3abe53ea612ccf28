// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces queries that the launch class answers: sizes become constants, local and global ids become arithmetic on
// lane_id() and sub_group_id(). The remaining queries read the launch structs and are marked with their ranges.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SpecializeLaunchPass : public llvm::PassInfoMixin<SpecializeLaunchPass> {
public:
  explicit SpecializeLaunchPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
