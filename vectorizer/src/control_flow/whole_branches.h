// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives code that accesses memory under a condition a copy without masks, for sub-groups in which all lanes pass.
//
//   if (i < n)          if (whole(i < n))
//     …           ──>     …
//                       else if (i < n)
//                         …
//
// `whole` (the marker lanecl.whole) is the same for all lanes, and often a scalar comparison of the last lane's number.
// The copy pays where masked accesses are slower than plain ones, as on processors without mask registers, so the pass
// does nothing for AVX-512. The condition must not be under a mask already, and the copied code is short and has no
// exchanges between lanes. `whole` may be false though all lanes pass, which is never wrong: the code under the mask
// runs then. The function is in canonical form and remains so.
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
