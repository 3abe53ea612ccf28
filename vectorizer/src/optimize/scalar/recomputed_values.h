// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What two loops compute alike, the first one keeps where the second one stores.
//
//   for (i = lane; i < n; i += 16)              for (i = lane; i < n; i += 16)
//     sum += exp(x[i] - m);                       sum += y[i] = exp(x[i] - m);
//   for (i = lane; i < n; i += 16)        ──>   for (i = lane; i < n; i += 16)
//     y[i] = exp(x[i] - m) / sum;                 y[i] = y[i] / sum;
//
// So it is in a softmax. Nobody may look at y between the loops: the second one writes it without synchronization, so
// that a work-item that reads it meanwhile has a data race. Work-groups that all write the same y do so, too, but
// programs have such kernels, in which each writes the same numbers; so y must depend on the work-group. What the loops
// read must not be y, which `restrict` says of arguments.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RecomputedValuesPass : public llvm::PassInfoMixin<RecomputedValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
