// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow/whole_loops.h"

#include "analysis/functions/markers.h"
#include "analysis/shapes/uniformity.h"

#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kMostInstructions = 400; // of a loop that is copied

// A loop that can be split. It is rotated: its only exit is at the end of an iteration. `guard` is the branch before
// the preheader that decides whether there is a first iteration; it leads around the loop, to where the loop's exit
// leads. It is null if there is no such branch.
struct Candidate {
  Loop *loop;
  BranchInst *guard;
  Value *limit; // what the condition compares the induction variable with
};

// Returns the loop-invariant value with which the condition compares the header's phi or its next value, or null if the
// condition has another form. The phi or the limit may differ between lanes, but not both.
Value *limitOf(const Value &condition, const Loop &loop, const UniformityInfo &uniformity) {
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const auto rises = [&](const Value *value, const Value *limit) {
    for (PHINode &phi : loop.getHeader()->phis()) {
      Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch()), *step = nullptr;
      if ((value == &phi || value == next) && match(next, m_c_Add(m_Specific(&phi), m_Value(step))) &&
          loop.isLoopInvariant(step) && isUniform(uniformity, *step) &&
          (isUniform(uniformity, *limit) ? compare->isRelational() : isUniform(uniformity, phi)))
        return true;
    }
    return false;
  };
  for (unsigned i = 0; i < 2; ++i) {
    Value *limit = compare->getOperand(i);
    if (loop.isLoopInvariant(limit) && rises(compare->getOperand(1 - i), limit))
      return limit;
  }
  return nullptr;
}

// Whether the loop is short enough, and lanes exchange no values in it: they have to do so in one copy.
bool canBeCopied(const Loop &loop) {
  unsigned instructions = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if ((call != nullptr && (call->isConvergent() || call->cannotDuplicate())) ||
          instruction.getType()->isTokenTy() || ++instructions > kMostInstructions)
        return false;
    }
  return true;
}

// Whether the branch decides between the loop and the block after its exit, with nothing but phis on the way from the
// exit.
bool guards(const BranchInst &branch, const Loop &loop) {
  const BasicBlock *exit = loop.getExitBlock(), *start = loop.getLoopPreheader();
  if (!branch.isConditional())
    return false;
  const BasicBlock *other = branch.getSuccessor(branch.getSuccessor(0) == start ? 1 : 0);
  return other != start && exit->getUniqueSuccessor() == other &&
         &*exit->getFirstNonPHIOrDbg() == exit->getTerminator();
}

// Whether isWhole() can ask this condition for all lanes: it is relational, or an equality with the limit.
bool compares(const Value &condition, const Value &limit) {
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  return compare != nullptr && (compare->isRelational() || is_contained(compare->operands(), &limit));
}

// Whether the instruction loads an argument of the kernel. Such a load may run anywhere: the argument block stays
// readable as long as the kernel runs.
bool loadsArgument(const Instruction &instruction) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (load == nullptr || !load->hasMetadata(LLVMContext::MD_invariant_load))
    return false;
  const DataLayout &layout = load->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
  const auto *block = dyn_cast<LoadInst>(base);
  const MDNode *size = block != nullptr ? block->getMetadata(kBytesOfArguments) : nullptr;
  const uint64_t bytes = layout.getTypeStoreSize(load->getType()).getFixedValue();
  return size != nullptr && !offset.isNegative() &&
         (offset + bytes).ule(mdconst::extract<ConstantInt>(size->getOperand(0))->getZExtValue());
}

// Whether everything that a block computes may be computed without a condition, before the branch that leads there.
bool canMoveToGuard(const BasicBlock &block) {
  return all_of(block, [](const Instruction &instruction) {
    return instruction.isTerminator() || loadsArgument(instruction) ||
           (!instruction.mayReadOrWriteMemory() && !isa<PHINode>(instruction) &&
            isSafeToSpeculativelyExecute(&instruction));
  });
}

// Moves the block's instructions before the guard, without the facts that hold only after it.
void moveToGuard(BasicBlock &block, BranchInst &guard) {
  for (Instruction &instruction : make_early_inc_range(block))
    if (!instruction.isTerminator()) {
      assert(!instruction.mayWriteToMemory() && !isa<PHINode>(instruction) &&
             (loadsArgument(instruction) || isSafeToSpeculativelyExecute(&instruction)) && "it may run in any case");
      instruction.moveBefore(guard.getIterator());
      instruction.dropUBImplyingAttrsAndMetadata();
    }
}

// Makes the guard's other side lead directly to where the loop's exit leads. The few instructions of a block in between
// move before the guard.
void shortenOtherWay(const Loop &loop, LoopInfo &loops, DominatorTree &dominators) {
  constexpr size_t kFew = 8; // instructions
  BasicBlock *preheader = loop.getLoopPreheader(), *exit = loop.getExitBlock();
  BasicBlock *before = preheader != nullptr ? preheader->getSinglePredecessor() : nullptr;
  auto *guard = before != nullptr ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  BasicBlock *end = exit != nullptr ? exit->getUniqueSuccessor() : nullptr;
  if (guard == nullptr || !guard->isConditional() || end == nullptr)
    return;
  BasicBlock *other = guard->getSuccessor(guard->getSuccessor(0) == preheader ? 1 : 0);
  if (other == preheader || other == end || other->getUniqueSuccessor() != end ||
      other->getSinglePredecessor() != before || other->size() > kFew || !canMoveToGuard(*other))
    return;
  moveToGuard(*other, *guard);
  guard->replaceSuccessorWith(other, end);
  end->replacePhiUsesWith(other, before);
  other->getTerminator()->eraseFromParent();
  new UnreachableInst(other->getContext(), other);
  DomTreeUpdater updater(dominators, DomTreeUpdater::UpdateStrategy::Eager);
  updater.applyUpdates({{DominatorTree::Insert, before, end},
                        {DominatorTree::Delete, before, other},
                        {DominatorTree::Delete, other, end}});
  loops.removeBlock(other);
  DeleteDeadBlock(other, &updater);
}

// Whether the loop is innermost, can be copied, and has its only exit at the end of an iteration.
bool hasShape(const Loop &loop) {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && loop.getExitingBlock() == loop.getLoopLatch() &&
         loop.getExitBlock() && canBeCopied(loop);
}

// Returns the parts of a loop for which hasShape() is true, or nothing if its condition is uniform or has another form.
std::optional<Candidate> candidate(Loop &loop, const UniformityInfo &uniformity) {
  BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  const auto *again = cast<BranchInst>(latch->getTerminator());
  Value *limit =
      isUniform(uniformity, *again->getCondition()) ? nullptr : limitOf(*again->getCondition(), loop, uniformity);
  if (limit == nullptr)
    return std::nullopt;
  BasicBlock *before = preheader->getSinglePredecessor();
  auto *guard = before != nullptr ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  const bool asks = guard != nullptr && guards(*guard, loop) && !isUniform(uniformity, *guard->getCondition()) &&
                    compares(*guard->getCondition(), *limit) && canMoveToGuard(*preheader);
  return Candidate{&loop, asks ? guard : nullptr, limit};
}

// Splits one loop.
class Splitter {
public:
  Splitter(LoopInfo &loops, DominatorTree &dominators) : loops(loops), dominators(dominators) {}

  void split(const Candidate &candidate);

private:
  Value *isWhole(Value *condition, bool passes_if, const Value *limit, Instruction &before);
  PHINode *merge(Value *without, Value *with, const Twine &name);

  LoopInfo &loops;
  DominatorTree &dominators;
  // `before` branches to the copy (`whole`) or past it. `whole_latch` ends the copy's iterations. In `rest` both ways
  // meet, before the remaining loop.
  BasicBlock *before = nullptr, *whole_latch = nullptr, *rest = nullptr;
};

// Creates a condition that is true only if all lanes pass. A rising i that runs while `i != limit` is tested as
// `i < limit`.
Value *Splitter::isWhole(Value *condition, bool passes_if, const Value *limit, Instruction &before_this) {
  IRBuilder<> b(&before_this);
  auto *compare = cast<ICmpInst>(condition);
  if (compare->isEquality() && (compare->getPredicate() == ICmpInst::ICMP_NE) == passes_if) {
    Value *x = compare->getOperand(0), *y = compare->getOperand(1);
    return createWhole(b, x == limit ? b.CreateICmpULT(y, x) : b.CreateICmpULT(x, y));
  }
  return createWhole(b, passes_if ? condition : b.CreateNot(condition));
}

// Merges, at `rest`, the value before the copy and the value after it. A null `without` means that the copy is always
// entered.
PHINode *Splitter::merge(Value *without, Value *with, const Twine &name) {
  PHINode *phi = PHINode::Create(with->getType(), 2, name, rest->getFirstNonPHIIt());
  if (without != nullptr)
    phi->addIncoming(without, before);
  phi->addIncoming(with, whole_latch);
  return phi;
}

// Inserts the copy:
//
// before ─┬─> whole loop ─┐
//         └───────────────┴─> rest ─┬─> preheader ─> loop ─> exit ─┐
//                                   └──────────────────────────────┴─> other
void Splitter::split(const Candidate &candidate) {
  Loop &loop = *candidate.loop;
  BranchInst *guard = candidate.guard;
  if (guard != nullptr)
    moveToGuard(*loop.getLoopPreheader(), *guard);
  else
    SplitBlock(loop.getLoopPreheader(), loop.getLoopPreheader()->getTerminator(), &dominators, &loops);
  BasicBlock *preheader = loop.getLoopPreheader(), *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
  before = preheader->getSinglePredecessor();
  assert(none_of(loop.blocks(),
                 [](const BasicBlock *block) {
                   return any_of(*block, [](const Instruction &instruction) {
                     return isa<CallBase>(instruction) && cast<CallBase>(instruction).isConvergent();
                   });
                 }) &&
         "lanes exchange nothing in a loop that is copied");
  assert(before != nullptr && loop.isLoopInvariant(candidate.limit) && "a way into the loop, and a limit known there");

  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> blocks;
  Loop *whole = cloneLoopWithPreheader(preheader, before, &loop, copies, ".whole", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  whole->setLoopID(loop.getLoopID());
  whole_latch = whole->getLoopLatch();
  const auto copyOf = [&](Value *value) -> Value * {
    Value *copy = copies.lookup(value);
    return copy != nullptr ? copy : value;
  };

  assert(whole_latch != nullptr && whole->isLoopExiting(whole_latch) && "the copy ends where the loop ends");
  rest = BasicBlock::Create(before->getContext(), "rest", before->getParent(), preheader);
  auto *again = cast<BranchInst>(whole_latch->getTerminator());
  const bool stays_if = again->getSuccessor(0) == whole->getHeader();
  Value *state = again->getCondition();
  again->setCondition(isWhole(state, stays_if, candidate.limit, *again));
  again->setSuccessor(0, whole->getHeader());
  again->setSuccessor(1, rest);

  BasicBlock *left = exit;
  bool enters_if = stays_if;
  IRBuilder<> b(rest);
  b.SetCurrentDebugLocation(again->getDebugLoc());
  if (guard != nullptr) {
    enters_if = guard->getSuccessor(0) == preheader;
    left = exit->getUniqueSuccessor();
    assert(left != nullptr && left == guard->getSuccessor(enters_if ? 1 : 0) && "both ways meet behind the exit");
    Value *asked = guard->getCondition();
    // Gives the condition the same polarity as the guard: both say "go on" when true, or both when false.
    Value *goes_on = stays_if == enters_if ? state : IRBuilder<>(again).CreateNot(state);
    BranchInst *entry = BranchInst::Create(whole->getLoopPreheader(), rest,
                                           isWhole(asked, enters_if, candidate.limit, *guard), guard->getIterator());
    entry->setDebugLoc(guard->getDebugLoc());
    guard->eraseFromParent();
    for (PHINode &phi : left->phis()) {
      auto *at_exit = dyn_cast<PHINode>(phi.getIncomingValueForBlock(exit));
      Value *with = at_exit != nullptr && at_exit->getParent() == exit
                        ? copyOf(at_exit->getIncomingValueForBlock(latch))
                        : phi.getIncomingValueForBlock(exit);
      const int index = phi.getBasicBlockIndex(before);
      assert(index >= 0 && "the guard leads around the loop");
      phi.setIncomingValue(unsigned(index), merge(phi.getIncomingValue(unsigned(index)), with, phi.getName()));
      phi.setIncomingBlock(unsigned(index), rest);
    }
    state = merge(asked, goes_on, "goes.on");
  } else {
    before->getTerminator()->setSuccessor(0, whole->getLoopPreheader());
    for (PHINode &phi : exit->phis())
      phi.addIncoming(merge(nullptr, copyOf(phi.getIncomingValueForBlock(latch)), phi.getName()), rest);
  }
  b.CreateCondBr(state, enters_if ? preheader : left, enters_if ? left : preheader);
  for (PHINode &phi : loop.getHeader()->phis()) {
    Value *first = guard != nullptr ? phi.getIncomingValueForBlock(preheader) : nullptr;
    phi.setIncomingValueForBlock(preheader, merge(first, copyOf(phi.getIncomingValueForBlock(latch)), phi.getName()));
  }
}

} // namespace

PreservedAnalyses WholeLoopsPass::run(Function &function, FunctionAnalysisManager &manager) {
  const auto apply = [&](auto pass) { manager.invalidate(function, pass.run(function, manager)); };
  apply(LoopSimplifyPass());
  apply(LCSSAPass());
  LoopInfo &loops = manager.getResult<LoopAnalysis>(function);
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      shortenOtherWay(*loop, loops, manager.getResult<DominatorTreeAnalysis>(function));
  SmallVector<Loop *, 4> shaped;
  copy_if(loops.getLoopsInPreorder(), std::back_inserter(shaped), [](const Loop *loop) { return hasShape(*loop); });
  SmallVector<Candidate, 4> candidates;
  for (Loop *loop : shaped) // computing uniformity is slow in kernels with many branches, and most have no such loop
    if (const auto found = candidate(*loop, manager.getResult<UniformityInfoAnalysis>(function)))
      candidates.push_back(*found);
  for (const Candidate &found : candidates)
    Splitter(loops, manager.getResult<DominatorTreeAnalysis>(function)).split(found);
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
