// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs LLVM's GVN so that memory that nothing has written has contents:
//
//   %a = alloca [4 x i32]        ->    %a = alloca [4 x i32]
//   %x = load %a[i]                    call @lanecl.begin.p0(%a)    may write %a
//                                      %x = load %a[i]
//
// Without the calls, GVN takes a load of a private array that is not written yet for undef. Each use of undef may see
// another value, and a branch on it makes the surrounding code undefined, all within GVN. The calls are removed after
// it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ValueNumberingPass : public llvm::PassInfoMixin<ValueNumberingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
