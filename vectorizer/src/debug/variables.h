// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `debug-variables`: keeps every source variable of a kernel built with -g visible at every statement. In an optimized
// kernel each variable gets a twin, to which every store is repeated and from which nothing is read:
//
//   store i32 %v, ptr %x      ──>     store i32 %v, ptr %x
//                                     store i32 %v, ptr %x.twin
//
// The variable itself is then optimized freely, and the twin always has the value that the source would have there. A
// variable whose address is used otherwise stays in memory itself, and without optimization all variables do. A
// variable without memory is shown only if debug information says its value at all times (assignments.h).
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DebugVariablesPass : public RequiredPass<DebugVariablesPass> {
public:
  explicit DebugVariablesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
