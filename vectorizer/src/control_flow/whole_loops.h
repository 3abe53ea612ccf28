// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits a loop in two: first a loop without masks for as long as all lanes go on, then one for the rest. In
//
//   for (i = get_global_id(0); i < n; i += get_global_size(0)) …
//
// all lanes do the same iterations, apart from the last one, and in `for (i = 0; i < get_local_id(0); ++i)` all lanes
// do the iterations of lane 0. The pass looks for a loop whose condition compares an induction variable with a limit
// that the loop does not change. Either may differ between lanes, but not both, and the step is the same in all lanes.
// Such a loop gets a copy before it:
//
//   if (whole(i < n))
//     do … while (whole(i < n));
//   for (; i < n; i += get_global_size(0)) …
//
// `whole` (the marker lanecl.whole) is the same for all lanes, so the copy runs under the surrounding mask; if all
// lanes exist, that is no mask. `whole` may be false though all lanes pass, which is never wrong: the second loop takes
// over. So widen computes it from the numbers of the first and the last lane, whatever the mask. Loops in which lanes
// exchange values, and long ones, are not copied.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WholeLoopsPass : public llvm::PassInfoMixin<WholeLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
