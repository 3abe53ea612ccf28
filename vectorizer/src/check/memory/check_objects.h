// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `check-objects`: accesses of private variables and constants report if they are out of bounds, and other memory is
// marked with its name, so that check-accesses recognizes it after the optimizations:
//
//                                                %outside = icmp ugt i64 %offset, 60
//   %p = gep i32, ptr %array, i64 %i     ──>     br %outside, report, load
//   load i32, ptr %p                             load i32, ptr %p       ; %array is 64 bytes
//
//   @kernel.tile                         ──>     call @lanecl.check.object(@kernel.tile, "tile", …)
//
// The marks are for variables and arguments in local memory and for program scope variables. Kept functions get the
// memory of their pointers as parameters (argument_memory.h).
// Runs after inline-calls and before optimizations. Optimizations may assume that an access is within its variable, and
// remove one that is not.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckObjectsPass : public RequiredPass<CheckObjectsPass> {
public:
  explicit CheckObjectsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);

private:
  llvm::SmallVector<llvm::Function *> checkedFunctions(llvm::Module &module) const;

  PassContext &context;
};

} // namespace lanecl::vectorizer
