// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "widen/element_moves.h"

#include "analysis/functions/markers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {

// Whether lanes leave the loop one by one: after linearization the loop then asks whether any lane is still in it.
static bool leavesLaneByLane(const Loop &loop) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [](const BasicBlock *block) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const auto *condition = branch ? dyn_cast<Instruction>(branch->getCondition()) : nullptr;
    return condition != nullptr && markerOf(*condition) == Marker::Any;
  });
}

// Adds to `found` the instructions of the loop from which `value` is computed in the same iteration.
static void addOperands(Value *value, const Loop &loop, SmallPtrSetImpl<const Instruction *> &found) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !loop.contains(instruction) || !found.insert(instruction).second)
    return;
  const bool is_carried = isa<PHINode>(instruction) && instruction->getParent() == loop.getHeader();
  if (!is_carried)
    for (Value *operand : instruction->operands())
      addOperands(operand, loop, found);
}

// Whether a loaded value decides where later iterations load from, as in a list.
static bool chasesPointers(const Loop &loop) {
  SmallPtrSet<const Instruction *, 16> addresses;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (Value *address = getLoadStorePointerOperand(&instruction); address && isa<LoadInst>(instruction))
        addOperands(address, loop, addresses);
  const auto comes_from_load = [&](PHINode &phi) {
    SmallPtrSet<const Instruction *, 16> origins;
    if (BasicBlock *latch = loop.getLoopLatch())
      addOperands(phi.getIncomingValueForBlock(latch), loop, origins);
    return any_of(origins, [](const Instruction *origin) { return isa<LoadInst>(origin); });
  };
  return loop.getLoopLatch() == nullptr || any_of(loop.getHeader()->phis(), [&](PHINode &phi) {
           return addresses.contains(&phi) && comes_from_load(phi);
         });
}

bool ElementMoves::dominate(Function &scalar) const {
  constexpr unsigned kOperationsThatPay = 4;       // for each gather or scatter
  constexpr unsigned kOperationsOfGathersOnly = 2; // for each gather in a loop that scatters nothing
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
    if (sum.scatters != 0)
      return sum.operations <= kOperationsThatPay * (sum.gathers + sum.scatters);
    return sum.gathers > 1 && sum.operations <= kOperationsOfGathersOnly * sum.gathers && !chasesPointers(*loop);
  });
}

} // namespace lanecl::vectorizer
