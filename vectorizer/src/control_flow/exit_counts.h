// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lanes that leave a loop with the number of their turn count it themselves.
//
//   while (…)
//     ++count;
//
// All lanes share the count, and after linearize each turn blends it into those lanes that leave. Instead, a count for
// each lane rises while the lane stays. That is a masked addition, where there were the mask of those that leave, a
// splat and a blend.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ExitCountsPass : public llvm::PassInfoMixin<ExitCountsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
