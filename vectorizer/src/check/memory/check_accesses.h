// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-accesses`: accesses of global, local and constant memory report if they are out of bounds, if the host does
// not allow them, or if their pointer is less aligned than its type promises.
//
//                                              %outside = %p - begin(%a) >= size(%a) - 3
//   store i32 %v, ptr addrspace(1) %p   ──>    br %outside, report, store
//                                              store i32 %v, ptr addrspace(1) %p
//
// The bounds belong to the object %a that the pointer is computed from. They are asked for once per object
// (CheckRuntime), or known from the marks of check-objects. An access past the end of one buffer is therefore reported
// even if it lands in another one. The pass only inserts reports, so it cannot change the kernel's results.
// Runs on the optimized scalar kernel, so that uniform or strided addresses are tested as such.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckAccessesPass : public RequiredPass<CheckAccessesPass> {
public:
  explicit CheckAccessesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
