// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits loops in two: one without masks as long as all lanes go on, and one for what remains.
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) …
//
// All lanes but those of the last turn do the same turns, and in `for (i = 0; i < get_local_id(0); ++i)` all lanes do
// the turns of lane 0. A loop whose condition compares what rises by the same step in all lanes with what all share, or
// what all share with what differs between them, gets a copy before it:
//
//   if (whole(i < n))
//     do … while (whole(i < n));
//   for (; i < n; i += get_global_size(0)) …
//
// `whole` (the marker lanecl.whole) is the same for all lanes, so the copy runs under the mask that surrounds it, which
// is none where all lanes exist. It may be false though all lanes pass; so it is computed from the first and the last
// lane's number, whatever the mask.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WholeLoopsPass : public llvm::PassInfoMixin<WholeLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
