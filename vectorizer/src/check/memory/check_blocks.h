// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-blocks`: block reads and writes of memory, images and two-dimensional surfaces report if they break the rules
// of cl_intel_subgroups, cl_intel_media_block_io or cl_intel_subgroup_2d_block_io, for example:
//
//                                                %broken = icmp ne i64 (and %p, 15), 0
//   intel_sub_group_block_write(%p, %v)   ──>    br %broken, report, call
//                                                intel_sub_group_block_write(%p, %v)
//
// The reports also cover sub-groups with fewer work-items than their size, and arguments that differ between lanes.
// The pass only inserts reports, so it cannot change the kernel's results. It runs before the functions are inlined,
// while their names say which rules apply.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckBlocksPass : public RequiredPass<CheckBlocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
