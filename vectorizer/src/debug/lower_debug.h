// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lower-debug`: the last pass over a kernel built with -g. It describes the variables of the debug frame, and turns
// the marker of each statement into inline assembly that code generation keeps (codegen/statement_locations.h):
//
//   call @lanecl.statement.lanes(%frame, …), !dbg !5
//     ──>   call void asm sideeffect "# statement 1 …", "*m,…"(ptr %address), !dbg !5
//
// It must run after all optimizations, because it makes the statements the only key instructions of the function.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerDebugPass : public RequiredPass<LowerDebugPass> {
public:
  explicit LowerDebugPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
