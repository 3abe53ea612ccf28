// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `scalar-optimize`: LLVM's scalar optimizations on the kernel of one work-item, before it is widened to lanes.
// Afterwards every operation on an OpenCL vector is one operation per component; loads and stores of vectors stay
// whole.
//
// Nothing is optimized for lanes here, but some of LLVM's transformations are left out because they would make code
// that is slower or wrong in lanes. The functions of scalar_optimize.cpp say which.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ScalarOptimizePass : public RequiredPass<ScalarOptimizePass> {
public:
  explicit ScalarOptimizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  void addOptimization(llvm::FunctionPassManager &passes);

  PassContext &context;
};

} // namespace lanecl::vectorizer
