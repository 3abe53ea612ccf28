// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/linearize.h"

#include "analysis/functions/markers.h"
#include "analysis/shapes/lane_origin.h"
#include "control_flow/canonicalize.h"
#include "control_flow/keep_in_loops.h"
#include "control_flow/linearizer.h"
#include "control_flow/mask_cleanup.h"
#include "pass_support/remarks.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns in which way the control flow is not canonical, or null if it is. The walk relies on that form.
static const char *whyNotCanonical(Function &function, LoopInfo &loops) {
  unsigned returns = 0;
  for (BasicBlock &block : function) {
    const Instruction *terminator = block.getTerminator();
    returns += isa<ReturnInst>(terminator);
    if (!isa<BranchInst, ReturnInst>(terminator))
      return "a terminator other than a branch";
    if (terminator->getNumSuccessors() == 2 && terminator->getSuccessor(0) == terminator->getSuccessor(1))
      return "a branch with one target";
  }
  if (returns != 1)
    return "not exactly one return";
  for (Loop *loop : loops.getLoopsInPreorder())
    if (!loop->getLoopPreheader() || !loop->getLoopLatch() || !loop->getUniqueExitBlock())
      return "a loop without a preheader, one latch and one exit";
  return nullptr;
}

// Whether the block contains nothing but phis and its terminator.
static bool isReturnOnly(BasicBlock &block) {
  return &*block.getFirstNonPHIOrDbg() == block.getTerminator();
}

// Moves the only return to a block of its own, so that an early return is an edge out of the level.
static BasicBlock *isolateReturn(Function &function, LoopInfo &loops) {
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator())) {
      if (isReturnOnly(block) && !block.isEntryBlock())
        return &block;
      return SplitBlock(&block, block.getTerminator(), static_cast<DomTreeUpdater *>(nullptr), &loops, nullptr,
                        "return");
    }
  llvm_unreachable("there is one return");
}

// Returns the call of the entry mask in the entry block, which is created if there is none.
static Value *entryMask(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  for (Instruction &instruction : entry)
    if (markerOf(instruction) == Marker::EntryMask)
      return &instruction;
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  return createEntryMask(builder);
}

// Makes the conditions of all remaining branches uniform for analyses, too. A uniform condition that was blended under
// a mask no longer looks uniform, so the branch asks whether it is true in any active lane.
static void makeConditionsUniform(Function &function, const UniformityInfo &uniformity) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional() || !uniformity.isDivergent(branch->getCondition()))
      continue;
    IRBuilder<> builder(branch);
    Value *mask = blockMask(block);
    if (!mask)
      mask = entryMask(function);
    branch->setCondition(createAny(builder, builder.CreateLogicalAnd(mask, branch->getCondition(), "mask")));
  }
}

// Removes the copies of exit values, which only the uniformity analysis needed.
static void removeExitNames(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<FreezeInst>(instruction) && instruction.hasMetadata(kExitValue)) {
      instruction.replaceAllUsesWith(instruction.getOperand(0));
      instruction.eraseFromParent();
    }
}

// Whether the block has at most one marker of its mask, as blockMask() takes for granted, and none that ends here.
[[maybe_unused]] static bool hasFinalMarkers(const BasicBlock &block) {
  const auto is = [](Marker marker) {
    return [marker](const Instruction &instruction) { return markerOf(instruction) == marker; };
  };
  return count_if(block, is(Marker::BlockMask)) <= 1 && none_of(block, is(Marker::Leave)) &&
         none_of(block, is(Marker::Effects));
}

// Adds a remark to the report: the branch is divergent, and the origins of its condition.
static void reportDivergence(PassContext &context, const BasicBlock &block, const LoopInfo &loops,
                             const LaneOrigin &origins) {
  const auto &branch = *cast<BranchInst>(block.getTerminator());
  assert(branch.isConditional() && "other branches do not diverge");
  const Loop *loop = loops.getLoopFor(&block);
  const std::string origin = origins.of(*branch.getCondition());
  addRemark(context, Remark::Kind::DivergentBranch, branch,
            Twine(loop != nullptr && loop->isLoopExiting(&block) ? "loop runs until its last lane leaves"
                                                                 : "branch runs under a mask") +
                (origin.empty() ? "" : ": depends on ") + origin);
}

static void reportDivergences(PassContext &context, Function &function, FunctionAnalysisManager &manager,
                              const SmallPtrSetImpl<const BasicBlock *> &divergent) {
  const UniformityInfo &uniformity = manager.getResult<UniformityInfoAnalysis>(function);
  const LaneOrigin origins([&](const Value &value) { return uniformity.isDivergent(&value); }, context.lane_ids,
                           &manager.getResult<DominatorTreeAnalysis>(function));
  for (const BasicBlock &block : function)
    if (divergent.contains(&block) && isa<BranchInst>(block.getTerminator()))
      reportDivergence(context, block, manager.getResult<LoopAnalysis>(function), origins);
}

PreservedAnalyses LinearizePass::run(Function &function, FunctionAnalysisManager &manager) {
  UniformityInfo &uniformity = manager.getResult<UniformityInfoAnalysis>(function);
  SmallPtrSet<const BasicBlock *, 32> divergent;
  for (BasicBlock &block : function)
    if (block.getTerminator()->getNumSuccessors() > 1 && uniformity.hasDivergentTerminator(block))
      divergent.insert(&block);
  if (context.remarks)
    reportDivergences(context, function, manager, divergent);
  removeExitNames(function);
  if (divergent.empty()) {
    forgetLoopStatements(function);
    return PreservedAnalyses::none();
  }
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  if (const char *why = whyNotCanonical(function, loops)) {
    context.diagnostics.error(function, DebugLoc(), Twine("internal error: control flow has ") + why);
    return PreservedAnalyses::all();
  }
  BasicBlock *return_block = isolateReturn(function, loops);
  Linearizer(function, loops, *return_block, [&](const BasicBlock &block) { return divergent.contains(&block); }).run();
  forgetLoopStatements(function);
  simplifyMasks(function);
  mergeBlocks(function);
  manager.invalidate(function, PreservedAnalyses::none());
  makeConditionsUniform(function, manager.getResult<UniformityInfoAnalysis>(function));
  assert(all_of(function, hasFinalMarkers) && "one mask for each block, and no marker of earlier passes");
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
