// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/branch_selects.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kMostInstructions = 4; // on one side
constexpr unsigned kMostValues = 8;       // that the branch may decide

// The two sides of a branch that meet again directly after them.
struct Diamond {
  BranchInst *branch;
  BasicBlock *then, *otherwise, *end;
};

// Returns the diamond whose branch ends the block, if there is one.
std::optional<Diamond> diamondBelow(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || branch->isUnconditional())
    return std::nullopt;
  BasicBlock *then = branch->getSuccessor(0), *otherwise = branch->getSuccessor(1);
  BasicBlock *end = then->getSingleSuccessor();
  if (then == otherwise || !end || end != otherwise->getSingleSuccessor() || !end->hasNPredecessors(2) ||
      then->getSinglePredecessor() != &block || otherwise->getSinglePredecessor() != &block)
    return std::nullopt;
  return Diamond{branch, then, otherwise, end};
}

// Returns whether the side has few instructions, all of them cheap and safe to execute speculatively.
bool isCheap(BasicBlock &side, const TargetTransformInfo &target) {
  unsigned count = 0;
  for (Instruction &instruction : drop_end(side)) {
    const InstructionCost cost = target.getInstructionCost(&instruction, TargetTransformInfo::TCK_SizeAndLatency);
    if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
        !isSafeToSpeculativelyExecute(&instruction) || cost > TargetTransformInfo::TCC_Basic ||
        ++count > kMostInstructions)
      return false;
  }
  return true;
}

bool decidesFewValues(BasicBlock &end) {
  return range_size(end.phis()) <= kMostValues && all_of(end.phis(), [](const PHINode &phi) {
           return phi.getType()->isIntOrPtrTy() || phi.getType()->isFloatingPointTy();
         });
}

// Moves both sides before the branch and replaces the phis by selects. A value of the side that was not taken may be
// poison, which a select does not pass on.
void flatten(const Diamond &diamond) {
  BasicBlock &block = *diamond.branch->getParent();
  assert(diamond.end->hasNPredecessors(2) && diamond.then->getSinglePredecessor() == &block &&
         diamond.otherwise->getSinglePredecessor() == &block && "other diamonds have left this one as it was");
  for (BasicBlock *side : {diamond.then, diamond.otherwise}) {
    // Promises such as nonnull hold only if this side of the branch is taken, so they are dropped.
    for (Instruction &instruction : *side)
      instruction.dropUBImplyingAttrsAndMetadata();
    block.splice(diamond.branch->getIterator(), side, side->begin(), side->getTerminator()->getIterator());
  }
  IRBuilder<> builder(diamond.branch);
  for (PHINode &phi : make_early_inc_range(diamond.end->phis())) {
    Value *chosen =
        builder.CreateSelect(diamond.branch->getCondition(), phi.getIncomingValueForBlock(diamond.then),
                             phi.getIncomingValueForBlock(diamond.otherwise), phi.getName(), diamond.branch);
    phi.replaceAllUsesWith(chosen);
    phi.eraseFromParent();
  }
  builder.CreateBr(diamond.end);
  diamond.branch->eraseFromParent();
  diamond.then->eraseFromParent();
  diamond.otherwise->eraseFromParent();
}

} // namespace

PreservedAnalyses BranchSelectsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const auto &target = analyses.getResult<TargetIRAnalysis>(function);
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  // Branches outside loops are left alone, as they are executed once.
  SmallVector<Diamond> diamonds;
  for (BasicBlock &block : function)
    if (const std::optional<Diamond> diamond = diamondBelow(block))
      if (loops.getLoopFor(diamond->end) && loops.getLoopFor(diamond->then) && isCheap(*diamond->then, target) &&
          isCheap(*diamond->otherwise, target) && decidesFewValues(*diamond->end))
        diamonds.push_back(*diamond);
  for (const Diamond &diamond : diamonds)
    flatten(diamond);
  return diamonds.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
