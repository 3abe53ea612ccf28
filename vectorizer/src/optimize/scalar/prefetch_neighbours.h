// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where the sub-groups of a work-group share the elements of a row, each goes through memory in steps of the
// work-group's size:
//
//   for (i = get_local_id(0); i < n; i += get_local_size(0)) … row[i] …
//
// Sub-groups run one after the other, so each takes a few cache lines here and there, which the processor's own
// prefetchers do not recognize. The lines beside them are those of the next sub-group, and are fetched for it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// On the scalar kernel. Does nothing unless the class knows the local size.
class PrefetchNeighboursPass : public llvm::PassInfoMixin<PrefetchNeighboursPass> {
public:
  explicit PrefetchNeighboursPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
