// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lets each lane count the iterations of a loop until it leaves. In
//
//   while (…)
//     ++count;
//
// all lanes share one `count`, and after linearize each iteration blends it into the lanes that leave:
//
//   left = phi [poison], [blend]                     left = phi [first], [next]
//   leaves = and live, (not stays)             ->    more = add left, 1
//   blend = select leaves, number, left              next = select stays, more, left
//
// A counter for each lane rises as long as the lane stays. That is one masked addition instead of a mask, a splat and a
// blend. The pass assumes a shared counter that changes by 1 or -1 in each iteration. `left` is read only for lanes
// that have left the loop, so lanes that are still in it may count there. `stays` is false for a lane that has left
// earlier, so its count does not change any more.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ExitCountsPass : public llvm::PassInfoMixin<ExitCountsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
