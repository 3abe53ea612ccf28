// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `private-memory`: moves private variables from the stack to the sub-group's scratch memory, the largest first, until
// the rest fits the stack of a worker thread:
//
//   %a = alloca [100000 x i32]     ──>     %a = getelementptr i8, ptr %scratch, i64 offset
//
// All of a kernel's variables move if it queries the address of private memory.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class PrivateMemoryPass : public RequiredPass<PrivateMemoryPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
