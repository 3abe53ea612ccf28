// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/reducible.h"

#include "control_flow/dispatch_entries.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

static bool hasIrreducibleCycle(const CycleInfo &cycles) {
  SmallVector<const Cycle *> work(cycles.toplevel_begin(), cycles.toplevel_end());
  while (!work.empty()) {
    const Cycle *cycle = work.pop_back_val();
    if (!cycle->isReducible())
      return true;
    append_range(work, cycle->children());
  }
  return false;
}

// Returns all variables of the function.
static SmallVector<AllocaInst *> variablesOf(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  return variables;
}

void mergeEqualTargets(Function &function) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || branch->isUnconditional() || branch->getSuccessor(0) != branch->getSuccessor(1))
      continue;
    branch->getSuccessor(1)->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
    ReplaceInstWithInst(branch, BranchInst::Create(branch->getSuccessor(0)));
  }
}

// Erases the mark of RegToMem: a bit cast without a use, after which it puts its variables.
static void eraseMark(BasicBlock &entry) {
  for (Instruction &instruction : make_early_inc_range(entry))
    if (isa<BitCastInst>(instruction) && isa<Constant>(instruction.getOperand(0)) && instruction.use_empty())
      instruction.eraseFromParent();
}

// Moves a loop's new blocks to where the loop starts, since the order of blocks tells which statements a loop contains
// (loop_statements.h).
static void placeEntries(const LoopInfo &loops, const SmallPtrSetImpl<BasicBlock *> &own) {
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (own.contains(loop->getHeader()))
      continue;
    Function &function = *loop->getHeader()->getParent();
    const auto found =
        find_if(function, [&](BasicBlock &block) { return own.contains(&block) && loop->contains(&block); });
    assert(found != function.end() && "a loop has blocks of the program");
    BasicBlock *first = &*found;
    loop->getHeader()->moveBefore(first);
    for (BasicBlock *block : loop->blocks())
      if (!own.contains(block) && block != loop->getHeader())
        block->moveBefore(first);
  }
}

// Applies LLVM's FixIrreducible. That pass does not repair values whose definition no longer dominates their uses, so
// all values are in memory meanwhile. The program's own variables stay in memory.
static void giveSingleEntries(Function &function, FunctionAnalysisManager &manager) {
  const auto apply = [&](auto pass) { manager.invalidate(function, pass.run(function, manager)); };
  const SmallVector<AllocaInst *> variables = variablesOf(function);
  apply(RegToMemPass());
  apply(FixIrreduciblePass());
  SmallVector<AllocaInst *> added = variablesOf(function);
  erase_if(added, [own = SmallPtrSet<AllocaInst *, 16>(variables.begin(), variables.end())](AllocaInst *variable) {
    return own.contains(variable) || !isAllocaPromotable(variable);
  });
  eraseMark(function.getEntryBlock());
  PromoteMemToReg(added, manager.getResult<DominatorTreeAnalysis>(function));
  manager.invalidate(function, PreservedAnalyses::none());
}

bool makeReducible(Function &function, FunctionAnalysisManager &manager) {
  if (!hasIrreducibleCycle(manager.getResult<CycleAnalysis>(function)))
    return false;
  SmallPtrSet<BasicBlock *, 32> blocks;
  const auto lowerSwitches = [&] {
    manager.invalidate(function, LowerSwitchPass().run(function, manager));
    mergeEqualTargets(function);
    manager.invalidate(function, PreservedAnalyses::none());
  };
  lowerSwitches();
  for (BasicBlock &block : function)
    blocks.insert(&block);
  if (dispatchEntries(function, manager.getResult<CycleAnalysis>(function)))
    lowerSwitches();
  if (hasIrreducibleCycle(manager.getResult<CycleAnalysis>(function)))
    giveSingleEntries(function, manager);
  assert(!hasIrreducibleCycle(manager.getResult<CycleAnalysis>(function)) && "every loop has one entry now");
  placeEntries(manager.getResult<LoopAnalysis>(function), blocks);
  return true;
}

} // namespace lanecl::vectorizer
