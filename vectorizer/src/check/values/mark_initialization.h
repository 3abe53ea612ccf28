// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `mark-initialization`: gives uninitialized variables a value that no optimization knows, so that none can exploit
// that they are undefined, and marks the values that decide about branches and in sub-group and work-group functions:
//
//   %x = alloca i32             ──>     store (call @lanecl.check.unwritten.i32(1)), ptr %x
//   br (icmp eq (load %x), 0)   ──>     call @lanecl.check.decides.i1(%c); br %c
//
// Runs before calls are inlined. check-initialization looks at the marks that are left after the optimizations; marks
// that were removed belonged to values that the program does not use.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MarkInitializationPass : public RequiredPass<MarkInitializationPass> {
public:
  explicit MarkInitializationPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
