// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/mask_cleanup.h"

#include "analysis/functions/markers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

// Folds that hold for masks, because a mask is never poison.
static Value *foldMask(Instruction &instruction) {
  Value *a = nullptr, *b = nullptr;
  // `select a, b, b` is b: the mask of two edges that have the same mask. mergeBlocks() then finds equal masks in
  // blocks that follow each other.
  if (match(&instruction, m_Select(m_Value(a), m_Value(b), m_Deferred(b))))
    return b;
  // The masks of the two sides of a branch together contain every lane: `a | !a` is true.
  if (match(&instruction, m_c_Or(m_Value(a), m_Not(m_Deferred(a)))) && a->getType()->isIntegerTy(1))
    return ConstantInt::getTrue(a->getContext());
  return nullptr;
}

void simplifyMasks(Function &function) {
  DominatorTree tree(function);
  const SimplifyQuery query(function.getDataLayout(), nullptr, &tree);
  SmallSetVector<Instruction *, 32> work;
  for (Instruction &instruction : instructions(function))
    work.insert(&instruction);
  while (!work.empty()) {
    Instruction *instruction = work.pop_back_val();
    const auto removed = [&](Value *value) {
      if (auto *operand = dyn_cast<Instruction>(value))
        work.insert(operand);
    };
    if (isInstructionTriviallyDead(instruction)) {
      SmallVector<Value *> operands(instruction->operand_values());
      salvageDebugInfo(*instruction);
      instruction->eraseFromParent();
      for_each(operands, removed);
      continue;
    }
    Value *simple = foldMask(*instruction);
    if (!simple)
      simple = simplifyInstruction(instruction, query.getWithInstruction(instruction));
    if (!simple || simple == instruction)
      continue;
    for (User *user : instruction->users())
      work.insert(cast<Instruction>(user));
    instruction->replaceAllUsesWith(simple);
    work.insert(instruction);
  }
}

// Whether the block's effects do not depend on which lanes are active.
static bool ignoresMask(const BasicBlock &block) {
  return all_of(block, [](const Instruction &instruction) {
    if (const std::optional<Marker> marker = markerOf(instruction); marker && *marker != Marker::Whole)
      return true;
    const auto *call = dyn_cast<CallBase>(&instruction);
    return !instruction.mayReadOrWriteMemory() && !(call && call->isConvergent()) &&
           (instruction.isTerminator() || isSafeToSpeculativelyExecute(&instruction));
  });
}

// Returns the block's mask marker, or null if it runs under the entry mask.
static Instruction *findMarker(BasicBlock &block) {
  for (Instruction &instruction : block)
    if (markerOf(instruction) == Marker::BlockMask)
      return &instruction;
  return nullptr;
}

// Returns whether both blocks may run under one mask. If so, gives them that mask and removes the second marker.
static bool agreeOnMask(BasicBlock &first, BasicBlock &second) {
  Instruction *before = findMarker(first), *after = findMarker(second);
  if (!before && !after)
    return true;
  if (before && after) {
    if (before->getOperand(0) != after->getOperand(0))
      return false;
    after->eraseFromParent();
    return true;
  }
  if (before)
    return ignoresMask(second);
  const auto *mask = dyn_cast<Instruction>(after->getOperand(0));
  if (!ignoresMask(first) || (mask && mask->getParent() == &first && !isa<PHINode>(mask)))
    return false;
  after->moveBefore(first.getFirstInsertionPt());
  return true;
}

// Merges the block into its only predecessor if that leads nowhere else.
static bool mergeIntoPredecessor(BasicBlock &block) {
  BasicBlock *before = block.getUniquePredecessor();
  if (!before || before == &block || before->getUniqueSuccessor() != &block || block.hasAddressTaken())
    return false;
  FoldSingleEntryPHINodes(&block);
  return agreeOnMask(*before, block) && MergeBlockIntoPredecessor(&block);
}

// Removes an empty block that only branches to another. The entry block stays, and so does a loop's preheader or latch.
static bool foldForwarder(BasicBlock &block, const SmallPtrSetImpl<BasicBlock *> &headers) {
  const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || branch->isConditional() || &block.front() != branch || &block == &block.getParent()->getEntryBlock())
    return false;
  BasicBlock *target = branch->getSuccessor(0);
  if (target == &block || headers.contains(target))
    return false;
  return TryToSimplifyUncondBranchFromEmptyBlock(&block);
}

static SmallPtrSet<BasicBlock *, 16> loopHeaders(Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> back_edges;
  FindFunctionBackedges(function, back_edges);
  SmallPtrSet<BasicBlock *, 16> headers;
  for (auto [from, to] : back_edges)
    headers.insert(const_cast<BasicBlock *>(to));
  return headers;
}

void mergeBlocks(Function &function) {
  bool changed = true;
  while (changed) {
    changed = false;
    const SmallPtrSet<BasicBlock *, 16> headers = loopHeaders(function);
    for (BasicBlock &block : make_early_inc_range(function)) {
      if (mergeIntoPredecessor(block) || foldForwarder(block, headers))
        changed = true;
      else
        changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    }
  }
  for (BasicBlock &block : function)
    if (!block.hasName())
      block.setName("flow");
}

} // namespace lanecl::vectorizer
