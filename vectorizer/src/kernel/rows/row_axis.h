// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `row-axis`: chooses the dimension along which the lanes of a free row lie, so that neighboring lanes access
// neighboring memory. It estimates the cost of the kernel's memory accesses for each dimension:
//
//   a[get_global_id(0) * n + get_global_id(1)]     along x: neighbors are n elements apart, a gather
//                                                  along y: neighbors are 1 element apart, a vector load
//
// The estimate may be wrong, but every choice is correct: the launch class says which dimensions are free.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Changes the launch class of `context` and no IR. Does nothing unless the class leaves a choice
// (LaunchClass::row_axes).
class RowAxisPass : public RequiredPass<RowAxisPass> {
public:
  explicit RowAxisPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
