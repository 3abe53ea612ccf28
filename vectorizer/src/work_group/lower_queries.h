// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lower-queries`: replaces the primitives that are left in lanes functions after widening. They become parameters,
// loads from the launch structs and calls of the host's services:
//
//   call i64 @__lanecl_group_id(i32 0)        ──>     i64 %group_x
//   call i64 @__lanecl_global_size(i32 0)     ──>     load i64, ptr addrspace(2) %launch
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerQueriesPass : public RequiredPass<LowerQueriesPass> {
public:
  explicit LowerQueriesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
