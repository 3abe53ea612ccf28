// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that walk through memory in steps of the launch's size, taken by all sub-groups of a free row together.
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) …
//
// Work-items that do nothing but this may do their turns in any order, apart from each one's own. So the first
// sub-group of a row stands for all of them (kernel/rows/strided_loop.h), and the work-group function enters the lanes
// once for all full sub-groups, and where rows are neighbours without an incomplete sub-group between them, once for
// all rows that it is called for (takesWholeRow).
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Does nothing unless the class is a row, and the kernel is such a loop and nothing else.
class RowLoopsPass : public llvm::PassInfoMixin<RowLoopsPass> {
public:
  explicit RowLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

// Of lanes functions, too: whether a call does the work of as many sub-groups as `active_lanes` has room for.
bool takesWholeRow(const llvm::Function &function);

} // namespace lanecl::vectorizer
