// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/canonicalize.h"

#include "control_flow/keep_in_loops.h"
#include "control_flow/reducible.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

// Ends the block, which has no terminator yet, with a branch to the return.
static void branchToReturn(BasicBlock &block, BasicBlock &return_block, const DebugLoc &location) {
  assert(!block.getTerminator() && "the block is open");
  BranchInst::Create(&return_block, &block)->setDebugLoc(location);
  for (PHINode &phi : return_block.phis())
    phi.addIncoming(PoisonValue::get(phi.getType()), &block);
}

// Creates a block with a return, and with a phi for the result if there is one.
static BasicBlock *createReturn(Function &function) {
  BasicBlock *block = BasicBlock::Create(function.getContext(), "return", &function);
  Type *type = function.getReturnType();
  if (type->isVoidTy()) {
    ReturnInst::Create(function.getContext(), block);
    return block;
  }
  PHINode *value = PHINode::Create(type, 2, "result", block);
  ReturnInst::Create(function.getContext(), value, block);
  return block;
}

// Leaves one return. Blocks that end with `unreachable` branch to it, too; a kernel without a return gets one.
static void unifyReturns(Function &function) {
  SmallVector<ReturnInst *> returns;
  SmallVector<UnreachableInst *> unreachable;
  for (BasicBlock &block : function) {
    if (auto *back = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(back);
    else if (auto *end = dyn_cast<UnreachableInst>(block.getTerminator()))
      unreachable.push_back(end);
  }
  if (returns.size() == 1 && unreachable.empty())
    return;
  BasicBlock *common = createReturn(function);
  for (ReturnInst *back : returns) {
    BasicBlock *block = back->getParent();
    const DebugLoc location = back->getDebugLoc();
    Value *value = back->getReturnValue();
    back->eraseFromParent();
    branchToReturn(*block, *common, location);
    if (value)
      cast<PHINode>(common->front()).setIncomingValueForBlock(block, value);
  }
  // A lane that gets here has undefined behavior. It returns, so that the other lanes are not affected.
  for (UnreachableInst *end : unreachable) {
    BasicBlock *block = end->getParent();
    end->eraseFromParent();
    branchToReturn(*block, *common, DebugLoc());
  }
}

// Turns a case into the default where a switch has an unreachable default, as Clang makes at the ends of scopes.
// Otherwise lanes would seem to be able to leave the kernel there, before a barrier.
static void replaceUnreachableDefaults(Function &function) {
  for (BasicBlock &block : function) {
    auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
    if (!choice || choice->getNumCases() == 0 || !choice->defaultDestUnreachable())
      continue;
    const auto first = choice->case_begin();
    choice->getDefaultDest()->removePredecessor(&block);
    choice->setDefaultDest(first->getCaseSuccessor());
    choice->removeCase(first);
  }
}

static ReturnInst &onlyReturn(Function &function) {
  for (BasicBlock &block : function)
    if (auto *back = dyn_cast<ReturnInst>(block.getTerminator()))
      return *back;
  llvm_unreachable("unifyReturns() left one");
}

// Returns the block of the return, after splitting it off if necessary: it uses no values of earlier blocks, so any
// block may branch to it.
static BasicBlock &bareReturn(Function &function, LoopInfo &loops) {
  ReturnInst &back = onlyReturn(function);
  BasicBlock *block = back.getParent();
  Value *value = back.getReturnValue();
  const auto *result = dyn_cast_or_null<PHINode>(value);
  if (&*block->getFirstNonPHIOrDbg() == &back && !block->isEntryBlock() &&
      (!value || (result && result->getParent() == block)))
    return *block;
  BasicBlock *end = SplitBlock(block, &back, static_cast<DomTreeUpdater *>(nullptr), &loops, nullptr, "return");
  if (value) {
    PHINode *merged = PHINode::Create(value->getType(), 2, "result", end->begin());
    merged->addIncoming(value, block);
    back.setOperand(0, merged);
  }
  return *end;
}

// Gives each loop that never ends an exit that is never taken, so that every block is on a path to the return.
static bool addMissingExits(Function &function, LoopInfo &loops) {
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->hasNoExitBlocks())
      continue;
    BasicBlock *latch = loop->getLoopLatch();
    BasicBlock *header = loop->getHeader();
    assert(latch != nullptr && latch->getSingleSuccessor() == header && "the loop is simplified and has no exit");
    BasicBlock *again = SplitEdge(latch, header, nullptr, &loops);
    const DebugLoc location = again->getTerminator()->getDebugLoc();
    BasicBlock &end = bareReturn(function, loops);
    again->getTerminator()->eraseFromParent();
    BranchInst::Create(header, &end, ConstantInt::getTrue(function.getContext()), again)->setDebugLoc(location);
    for (PHINode &phi : end.phis())
      phi.addIncoming(PoisonValue::get(phi.getType()), again);
    changed = true;
  }
  return changed;
}

// Copies values that leave a loop but are not defined in it. When lanes leave a loop in different iterations, such
// values differ between them, too. LLVM's uniformity analysis recognizes that only for values defined in the loop.
static void nameExitValues(LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock *> exits;
    loop->getUniqueExitBlocks(exits);
    for (BasicBlock *exit : exits)
      for (PHINode &phi : exit->phis()) {
        if (phi.hasConstantOrUndefValue())
          continue;
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
          Value *value = phi.getIncomingValue(i);
          Instruction *exiting = phi.getIncomingBlock(i)->getTerminator();
          const auto *defined = dyn_cast<Instruction>(value);
          if (isa<UndefValue>(value) || !loop->contains(exiting) || (defined && loop->contains(defined)))
            continue;
          auto *named = new FreezeInst(value, phi.getName() + ".exit", exiting->getIterator());
          named->setDebugLoc(exiting->getDebugLoc());
          named->setMetadata(kExitValue, MDNode::get(phi.getContext(), {}));
          phi.setIncomingValue(i, named);
        }
      }
  }
}

// Restores differences: InstCombine rewrites 63 - id as id ^ 63. A difference of a strided value is strided, an
// exclusive or is not.
static void restoreDifferences(Function &function) {
  const SimplifyQuery query(function.getDataLayout());
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *x = nullptr;
    const APInt *limit = nullptr;
    if (!match(&instruction, m_Xor(m_Value(x), m_APInt(limit))) || instruction.getType()->isVectorTy() ||
        !limit->isMask() || limit->isAllOnes() || !MaskedValueIsZero(x, ~*limit, query))
      continue;
    auto *difference = BinaryOperator::CreateSub(instruction.getOperand(1), x, "", instruction.getIterator());
    difference->setHasNoSignedWrap();
    difference->setHasNoUnsignedWrap();
    difference->setDebugLoc(instruction.getDebugLoc());
    difference->takeName(&instruction);
    instruction.replaceAllUsesWith(difference);
    instruction.eraseFromParent();
  }
}

PreservedAnalyses CanonicalizePass::run(Function &function, FunctionAnalysisManager &manager) {
  const auto tidyEnds = [&] {
    removeUnreachableBlocks(function);
    unifyReturns(function);
    manager.invalidate(function, PreservedAnalyses::none());
  };
  const auto apply = [&](auto pass) { manager.invalidate(function, pass.run(function, manager)); };
  replaceUnreachableDefaults(function);
  restoreDifferences(function);
  tidyEnds();
  apply(KeepInLoopsPass());
  apply(LowerSwitchPass());
  mergeEqualTargets(function);
  if (makeReducible(function, manager))
    apply(DCEPass());
  apply(LoopSimplifyPass());
  tidyEnds(); // impossible entries of loops have become unreachable blocks
  apply(LoopSimplifyPass());
  if (addMissingExits(function, manager.getResult<LoopAnalysis>(function))) {
    manager.invalidate(function, PreservedAnalyses::none());
    apply(LoopSimplifyPass());
  }
  apply(UnifyLoopExitsPass());
  mergeEqualTargets(function);
  apply(LCSSAPass());
  nameExitValues(manager.getResult<LoopAnalysis>(function));
  assert(all_of(manager.getResult<LoopAnalysis>(function).getLoopsInPreorder(),
                [&](const Loop *loop) {
                  return loop->getLoopPreheader() && loop->getLoopLatch() && loop->getUniqueExitBlock() &&
                         loop->isLCSSAForm(manager.getResult<DominatorTreeAnalysis>(function));
                }) &&
         "loops have one preheader, latch and exit, and values leave them by phis");
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
