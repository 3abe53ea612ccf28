// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "widen/element_moves.h"

#include "analysis/markers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

// After linearization such a loop asks whether any lane is still in it.
static bool leavesLaneByLane(const Loop &loop) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [](const BasicBlock *block) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const auto *condition = branch ? dyn_cast<Instruction>(branch->getCondition()) : nullptr;
    return condition != nullptr && markerOf(*condition) == Marker::Any;
  });
}

bool ElementMoves::dominate(Function &scalar) const {
  constexpr unsigned kOperationsThatPay = 4; // for each gather or scatter
  const DominatorTree dominators(scalar);
  const LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    if (!loop->isInnermost() || !leavesLaneByLane(*loop))
      return false;
    Count sum;
    for (const BasicBlock *block : loop->blocks()) {
      const Count count = blocks.lookup(block);
      sum.gathers += count.gathers, sum.scatters += count.scatters, sum.operations += count.operations;
    }
    return sum.scatters != 0 && sum.operations <= kOperationsThatPay * (sum.gathers + sum.scatters);
  });
}

} // namespace lanecl::vectorizer
