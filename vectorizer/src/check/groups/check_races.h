// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-races`: records accesses of local and global memory, barriers and fences, for the run time, which finds data
// races:
//
//                                      call @lanecl.check.lane.access(site, %p, 4, %v, kWriteAccess, …)
//   store i32 %v, ptr %p       ──>     store i32 %v, ptr %p
//   call @barrier()                    call @lanecl.check.lane.barrier(…); call @barrier()
//
// The run time reports two accesses of the same byte by different work-items if one of them writes, and neither
// barriers nor fences order them. Private memory is not recorded. An access that may be one of private memory is not
// recorded either, because work-items have their private memory at the same addresses.
// Runs on the optimized scalar kernel, so accesses that were optimized away cannot be reported.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckRacesPass : public RequiredPass<CheckRacesPass> {
public:
  explicit CheckRacesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
