// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-initialization`: branches, addresses and arguments of sub-group and work-group functions report if they depend
// on uninitialized values. Every value that may be uninitialized gets a shadow, whose set bits are the uninitialized
// ones (shadow_values.h):
//
//                                         %s = load i32, ptr %p.shadow
//   %v = load i32, ptr %p                 %v = load i32, ptr %p
//   br (icmp eq %v, 0), …       ──>       br (icmp ne %s, 0), report, …
//
// Copying an uninitialized value is no error; only decisions are reported, as programs often copy more than they use.
// Runs on the optimized scalar kernel that mark-initialization has prepared, and before place-reports, which removes
// the marks of check-objects.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckInitializationPass : public RequiredPass<CheckInitializationPass> {
public:
  explicit CheckInitializationPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
