// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `specialize-launch`: replaces the queries that the launch class answers. Sizes become constants; local and global ids
// become arithmetic on lane_id() and sub_group_id(). Example for a local size of 64×1×1 and 16 lanes:
//
//   get_local_size(0)     ──>     64
//   get_local_id(0)       ──>     sub_group_id() * 16 + lane_id()
//
// The remaining queries read the launch structs, and are marked as pure and with their ranges.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SpecializeLaunchPass : public RequiredPass<SpecializeLaunchPass> {
public:
  explicit SpecializeLaunchPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
