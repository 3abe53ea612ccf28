// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `prefetch-neighbors`: sub-groups that share the rows of an array prefetch for each other. It looks for loads in
// innermost loops whose address advances by the size of a row of the work-group:
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) … row[i] …
//     ──>    prefetch(&row[i + W]) before each load of row[i]
//
// Sub-groups run one after the other, so each of them touches a few cache lines here and there, a pattern that the
// processor's own prefetchers do not recognize. The elements W further on are those of the next sub-group. A prefetch
// past the end of the array has no effect, so no bound is checked.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Runs on the scalar kernel. Does nothing unless the launch class knows the local size.
class PrefetchNeighborsPass : public llvm::PassInfoMixin<PrefetchNeighborsPass> {
public:
  explicit PrefetchNeighborsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
