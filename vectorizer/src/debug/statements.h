// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `debug-statements`: marks where the execution of each source line starts, in kernels built with -g:
//
//   %x = add i32 %a, 1, !dbg line 5     ──>     call @lanecl.statement(0), !dbg line 5
//                                               %x = add i32 %a, 1, !dbg line 5
//
// The markers have effects on memory that only LLVM sees, so later passes move the other instructions but keep the
// markers in their order.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DebugStatementsPass : public RequiredPass<DebugStatementsPass> {
public:
  explicit DebugStatementsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
