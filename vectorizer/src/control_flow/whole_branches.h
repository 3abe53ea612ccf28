// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives code that accesses memory under a condition a copy without a mask, for sub-groups all of whose lanes pass.
//
//   if (i < n)          if (whole(i < n))
//     …           ──>     …
//                       else if (i < n)
//                         …
//
// `whole` (the marker lanecl.whole) is the same for all lanes, and often a scalar comparison of the last lane's number.
// It pays where masked accesses are slower than plain ones, which is so without mask registers. The function is in
// canonical form and remains so.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WholeBranchesPass : public llvm::PassInfoMixin<WholeBranchesPass> {
public:
  explicit WholeBranchesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
