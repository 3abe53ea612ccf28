// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM's GVN, to which memory that nothing wrote has some contents. Without that, what is loaded from a private array
// before it is written is undefined, each use of it may see another value, and a branch on it makes the code around
// undefined, all within GVN. So each variable begins with a call that may write it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ValueNumberingPass : public llvm::PassInfoMixin<ValueNumberingPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
