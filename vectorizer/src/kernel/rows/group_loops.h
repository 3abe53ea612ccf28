// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `group-loops`: loops that write memory in steps of the work-group's size or longer ones are run by the first
// sub-group for all sub-groups of the work-group:
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) …
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&counts[x[i]]);
//     ──>   if (get_sub_group_id() == 0) … all turns of all sub-groups, step by step
//
// The first sub-group takes all turns as in kernel/rows/strided_loop.h, and the others skip the loop. Nothing orders
// the sub-groups of a work-group between two barriers, so this is correct if every work-item reaches the loop, and if
// since the last barrier no work-item has written memory or read memory that the loop may write.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Does nothing unless the work-group is one row of a known number of full sub-groups, more than one.
class GroupLoopsPass : public llvm::PassInfoMixin<GroupLoopsPass> {
public:
  explicit GroupLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
