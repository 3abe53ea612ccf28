// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `recomputed-values`: if two loops compute the same values, the first loop keeps them in the memory that the second
// one stores to. The softmax of a row has this form:
//
//   for (i = lane; i < n; i += 16)              for (i = lane; i < n; i += 16)
//     sum += exp(x[i] - m);                       sum += y[i] = exp(x[i] - m);
//   for (i = lane; i < n; i += 16)        ──>   for (i = lane; i < n; i += 16)
//     y[i] = exp(x[i] - m) / sum;                 y[i] = y[i] / sum;
//
// Both loops count alike and the second one follows the first one at once, so y[i] holds exactly the kept value. No
// other work-item may look at y between the loops: the second loop writes y without synchronization, so reading it
// meanwhile is a data race. Work-groups that all write the same y have a data race, too, but programs have such
// kernels, in which every work-group writes the same numbers. Therefore the address of y must depend on the work-group.
// The loops must not read y, which is known where arguments are `restrict`.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class RecomputedValuesPass : public llvm::PassInfoMixin<RecomputedValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
