// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-sub-groups`: calls of sub-group functions report lanes that do not reach the call, that do not exist, or whose
// arguments differ although they must not (OpenCL C 3.0, section 6.15.19):
//
//                                        %broken = icmp ne i64 %active_mask, %existing_mask
//   %s = sub_group_reduce_add(%x)  ──>   br %broken, report, call
//                                        %s = sub_group_reduce_add(%x)
//
// The pass only inserts reports, so it cannot change the kernel's results. It runs before the functions are inlined,
// while their names say which rules apply.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckSubGroupsPass : public RequiredPass<CheckSubGroupsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
