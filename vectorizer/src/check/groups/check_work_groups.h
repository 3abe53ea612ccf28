// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-work-groups`: barriers and work-group functions report if only some work-items of a sub-group call them, or if
// their arguments differ. They also tell the run time that a sub-group has reached the call, so that it can compare the
// sub-groups of a work-group (OpenCL C 3.0, sections 6.15.8 and 6.15.16):
//
//                             br (%active_mask != %existing_mask), report, …
//   call @barrier()   ──>     call @lanecl.check.reached(site, %active_mask, …)
//                             call @barrier()
//
// The pass only inserts reports, records and one unused load, so it cannot change the kernel's results. It runs before
// the functions are inlined, while their names say which rules apply.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckWorkGroupsPass : public RequiredPass<CheckWorkGroupsPass> {
public:
  explicit CheckWorkGroupsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
