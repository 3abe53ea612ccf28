// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `inline-calls`: inlines every function into the kernel, because most is known about the lanes of a single function's
// values. In a kernel that would become too large some functions stay (inlining_plan.h). Recursion, indirect calls and
// functions without a definition are build errors.
//
// Callees are simplified before they are copied. Exchanges between lanes stay in the loops of the source that contain
// them (control_flow/keep_in_loops.h), and `restrict` is dropped where barriers or loops make it wrong (restrict.h).
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class InlineCallsPass : public RequiredPass<InlineCallsPass> {
public:
  explicit InlineCallsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
