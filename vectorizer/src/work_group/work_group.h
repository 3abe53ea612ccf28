// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `work-group`: emits the function that the scheduler calls (abi::WorkGroupFunction). It loops over a row of
// work-groups and their sub-groups. Full sub-groups run without a mask; the last one of a work-group, if it has fewer
// lanes, runs under a mask. Work-groups are enumerated along x:
//
//   for x in [x_begin, x_end)
//     for each full sub-group s: k.lanes(launch, worker, local_size, x, y, z, s, W, scratch)
//     if there is a rest: k.lanes.partial(…, rest, scratch)
//
// The lanes functions are inlined afterwards, except with -g.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WorkGroupPass : public RequiredPass<WorkGroupPass> {
public:
  explicit WorkGroupPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

// Returns the symbol of that function: "saxpy.w16.256x1x1", "saxpy.w16.row.x" for a row of any length, or
// "saxpy.w16.any" if the class knows no size.
std::string workGroupName(llvm::StringRef kernel, const LaunchClass &launch);

} // namespace lanecl::vectorizer
