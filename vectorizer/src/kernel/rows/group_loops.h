// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that write memory in steps of the work-group's size or longer ones, taken by all its sub-groups together.
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) …
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&counts[x[i]]);
//
// Nothing orders the sub-groups of a work-group between two barriers. So the first of them does all turns
// (kernel/rows/strided_loop.h), and the others pass the loop by. That is right if every work-item comes to the loop,
// and if since the last barrier none has written anything, or read what the loop may write.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Does nothing unless the work-group is a row of a known number of full sub-groups, more than one.
class GroupLoopsPass : public llvm::PassInfoMixin<GroupLoopsPass> {
public:
  explicit GroupLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
