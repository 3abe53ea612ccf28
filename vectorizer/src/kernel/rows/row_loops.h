// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `row-loops`: a kernel that consists of a loop in steps of the launch's size runs the sub-groups of a free row
// together:
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) …
//
// Work-items that do nothing else may run their turns in any order, as long as each one keeps its own order. The first
// sub-group of a row stands for all of them (kernel/rows/strided_loop.h). The work-group function then calls the lanes
// function once for all full sub-groups of a row. Where rows are adjacent without an incomplete sub-group between them,
// it calls the function once for all the rows that it was called for (takesWholeRow).
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Does nothing unless the class is a row and the kernel is such a loop and nothing else.
class RowLoopsPass : public llvm::PassInfoMixin<RowLoopsPass> {
public:
  explicit RowLoopsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

// Returns whether one call of this function does the work of active_lanes / W sub-groups. Lanes functions keep the
// property of the kernel that they are made of.
bool takesWholeRow(const llvm::Function &function);

} // namespace lanecl::vectorizer
