// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/rows/strided_loop.h"

#include "analysis/functions/markers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr const char *kFewTurns = "lanecl.loop.few.turns";
constexpr unsigned kMostInstructions = 100; // in a loop, which is duplicated

// The condition `moving predicate limit`, under which a loop goes on.
struct Condition {
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  Value *moving = nullptr, *limit = nullptr;
};

// Returns the condition of a branch that compares `moving`, with `moving` on the left; nothing for other branches.
std::optional<Condition> conditionOf(const BranchInst &branch, const Value &moving, bool goes_on_if) {
  auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
  if (!compare || !compare->isRelational() ||
      (compare->getOperand(0) == &moving) == (compare->getOperand(1) == &moving))
    return std::nullopt;
  Condition result{compare->getPredicate(), compare->getOperand(0), compare->getOperand(1)};
  if (result.moving != &moving) {
    std::swap(result.moving, result.limit);
    result.predicate = CmpInst::getSwappedPredicate(result.predicate);
  }
  if (!goes_on_if)
    result.predicate = CmpInst::getInversePredicate(result.predicate);
  return result;
}

// Returns whether the instruction may be duplicated and change places with those of other sub-groups.
bool canBeReordered(const Instruction &instruction) {
  if (isFreeUpdate(instruction))
    return true;
  if (instruction.isVolatile() || instruction.isAtomic() || instruction.getType()->isTokenTy())
    return false;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return !call || (!call->isConvergent() && !call->cannotDuplicate() && !call->mayHaveSideEffects());
}

// Returns whether all of the loop's instructions may be duplicated and reordered between sub-groups.
bool canBeReordered(const Loop &loop) {
  unsigned instructions = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (!canBeReordered(instruction) || ++instructions > kMostInstructions)
        return false;
  return true;
}

// Returns whether the blocks between guard, loop and end contain nothing that has an effect.
bool hasNothingBeside(const BasicBlock &preheader, const BasicBlock &exit, const BasicBlock &end) {
  return exit.getUniqueSuccessor() == &end && &*exit.getFirstNonPHIOrDbg() == exit.getTerminator() &&
         end.phis().empty() && all_of(preheader, [](const Instruction &i) {
           return i.isTerminator() || (!i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i));
         });
}

// Emits the loops of takeTogether.
class Splitter {
public:
  Splitter(const StridedLoop &row, unsigned width, Value *count, Value *lane)
      : function(*row.guard->getFunction()), row(row), width(width), b(row.guard), count(count), lane(lane) {}
  void run();

private:
  void leavePreheader();
  Value *numberOf(Value *start, Value *sub_group, bool rises); // must not wrap around if `rises`
  Value *goesOn(Value *number);
  Value *wholeRowGoesOn(Value *start);
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(function.getContext(), name, &function, row.loop->getLoopPreheader());
  }
  BasicBlock *copyOfTurn(Value *number, BasicBlock *behind);
  void forEachSubGroup(BasicBlock *from, BasicBlock *after, const char *name,
                       function_ref<void(Value *sub_group, BasicBlock *next)> body);

  Function &function;
  const StridedLoop &row;
  unsigned width;
  IRBuilder<> b;
  Value *count; // the number of sub-groups
  Value *lane;
  Value *last = nullptr; // the distance from the first lane's number to the last lane's
};

// Moves the preheader's instructions before the guard, where all emitted loops can use them.
void Splitter::leavePreheader() {
  for (Instruction &instruction : make_early_inc_range(*row.loop->getLoopPreheader()))
    if (!instruction.isTerminator()) {
      instruction.moveBefore(row.guard->getIterator());
      instruction.dropUBImplyingAttrsAndMetadata();
    }
}

Value *Splitter::numberOf(Value *start, Value *sub_group, bool rises) {
  const bool no_unsigned_wrap = rises && !CmpInst::isSigned(row.goes_on), no_signed_wrap = rises && !no_unsigned_wrap;
  Value *distance = b.CreateMul(sub_group, ConstantInt::get(sub_group->getType(), width), "", rises, rises);
  Value *of_sub_group = b.CreateAdd(start, distance, "", no_unsigned_wrap, no_signed_wrap);
  return b.CreateAdd(of_sub_group, lane, "", no_unsigned_wrap, no_signed_wrap);
}

// Emits the loop's condition for a number.
Value *Splitter::goesOn(Value *number) {
  return b.CreateICmp(row.goes_on, number, row.limit);
}

// Emits whether all lanes of all sub-groups go on. Numbers that rise from the first lane's to the last lane's without
// wrap-around satisfy the condition if the first and the last one do.
Value *Splitter::wholeRowGoesOn(Value *start) {
  Value *end = b.CreateAdd(start, last);
  const CmpInst::Predicate rises = CmpInst::isSigned(row.goes_on) ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  Value *result = createWhole(b, b.CreateICmp(rises, start, end));
  result = b.CreateAnd(result, createWhole(b, goesOn(start)));
  return b.CreateAnd(result, createWhole(b, goesOn(end)), "row.goes.on");
}

// Copies the loop's body for one turn with the given number; the copy continues at `behind`. Returns its first block.
BasicBlock *Splitter::copyOfTurn(Value *number, BasicBlock *behind) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> blocks;
  for (BasicBlock *original : row.loop->blocks()) {
    blocks.push_back(CloneBasicBlock(original, copies, ".row", &function));
    copies[original] = blocks.back();
  }
  remapInstructionsInBlocks(blocks, copies);
  assert(number->getType() == row.number->getType() && copies.lookup(row.number) != nullptr && "the copy has a number");
  auto *phi = cast<PHINode>(&*copies.lookup(row.number));
  phi->replaceAllUsesWith(number);
  phi->eraseFromParent();
  auto *end = cast<BasicBlock>(&*copies.lookup(row.loop->getLoopLatch()));
  end->getTerminator()->eraseFromParent();
  BranchInst::Create(behind, end);
  return cast<BasicBlock>(&*copies.lookup(row.loop->getHeader()));
}

// Emits a loop over the sub-groups. The body starts in block `name` and has to branch to `next`:
//
//   from ─> name ─> … ─> next ─┬─> after
//            └─────────────────┘
void Splitter::forEachSubGroup(BasicBlock *from, BasicBlock *after, const char *name,
                               function_ref<void(Value *, BasicBlock *)> body) {
  Type *type = count->getType();
  BasicBlock *head = block(name), *next = block("row.next");
  b.SetInsertPoint(from);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  PHINode *sub_group = b.CreatePHI(type, 2);
  sub_group->addIncoming(ConstantInt::get(type, 0), from);
  body(sub_group, next);
  b.SetInsertPoint(next);
  Value *following = b.CreateAdd(sub_group, ConstantInt::get(type, 1), "", true, true);
  sub_group->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpULT(following, count), head, after);
}

void Splitter::run() {
  assert(all_of(row.loop->blocks(),
                [](const BasicBlock *block) {
                  return all_of(*block, [](const Instruction &instruction) {
                    const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
                    const auto *call = dyn_cast<CallBase>(&instruction);
                    return update != nullptr ? update->use_empty() && update->getOrdering() == AtomicOrdering::Monotonic
                                             : !instruction.isVolatile() && !instruction.isAtomic() &&
                                                   (call == nullptr || !call->isConvergent());
                  });
                }) &&
         "the turns of the sub-groups may run in any order");
  BasicBlock *entry = row.guard->getParent(), *preheader = row.loop->getLoopPreheader();
  BasicBlock *exit = row.loop->getExitBlock();
  assert(count->getType() == row.number->getType() && lane->getType() == count->getType() && "numbers of one type");
  assert(exit != nullptr && exit->getUniqueSuccessor() == row.end && row.end->phis().empty() && "both ways meet there");
  leavePreheader();
  b.SetInsertPoint(row.guard);
  Value *lanes = b.CreateMul(count, ConstantInt::get(count->getType(), width));
  last = b.CreateSub(lanes, ConstantInt::get(count->getType(), 1), "row.last");
  Value *start = b.CreateSub(row.first, lane);
  BasicBlock *turn = block("row.turn"), *turn_end = block("row.turn.end"), *rest = block("row.rest");
  b.CreateCondBr(wholeRowGoesOn(start), turn, rest);
  row.guard->eraseFromParent();

  // As long as all sub-groups go on: one turn for each of them, then the next row of turns.
  b.SetInsertPoint(turn);
  PHINode *row_start = b.CreatePHI(start->getType(), 2, "row.start");
  row_start->addIncoming(start, entry);
  forEachSubGroup(turn, turn_end, "row.sub_group", [&](Value *sub_group, BasicBlock *next) {
    Value *own = numberOf(row_start, sub_group, /*rises=*/true);
    b.CreateBr(copyOfTurn(own, next));
  });
  b.SetInsertPoint(turn_end);
  Value *following = b.CreateAdd(row_start, row.step);
  if (auto *add = dyn_cast<Instruction>(following))
    add->copyIRFlags(row.number->getIncomingValueForBlock(row.loop->getLoopLatch()));
  row_start->addIncoming(following, turn_end);
  b.CreateCondBr(wholeRowGoesOn(following), turn, rest);

  // The turns that are left: the original loop, for each sub-group that goes on.
  b.SetInsertPoint(rest);
  PHINode *left = b.CreatePHI(start->getType(), 2, "row.left");
  left->addIncoming(start, entry);
  left->addIncoming(following, turn_end);
  forEachSubGroup(rest, row.end, "row.rest.sub_group", [&](Value *sub_group, BasicBlock *next) {
    Value *own = numberOf(left, sub_group, /*rises=*/false);
    row.number->setIncomingValueForBlock(preheader, own);
    b.CreateCondBr(goesOn(own), preheader, next);
    exit->getTerminator()->replaceSuccessorWith(row.end, next);
  });
}

} // namespace

std::optional<StridedLoop> asStridedLoop(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader(), *exit = loop.getExitBlock();
  // One exit, at the end of a turn, and a guard before the loop.
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch || !exit ||
      !preheader->getSinglePredecessor())
    return std::nullopt;
  auto *guard = dyn_cast<BranchInst>(preheader->getSinglePredecessor()->getTerminator());
  if (!guard || !guard->isConditional())
    return std::nullopt;
  // The guard tests the first number as the latch tests the following ones.
  const bool enters_if = guard->getSuccessor(0) == preheader;
  BasicBlock *end = guard->getSuccessor(enters_if ? 1 : 0);
  auto phis = loop.getHeader()->phis();
  // Only the number is carried from turn to turn.
  if (!hasSingleElement(phis) || !hasNothingBeside(*preheader, *exit, *end) || !canBeReordered(loop))
    return std::nullopt;
  PHINode &number = *phis.begin();
  Value *next = number.getIncomingValueForBlock(latch), *first = number.getIncomingValueForBlock(preheader);
  Value *step = nullptr;
  const auto *again = dyn_cast<BranchInst>(latch->getTerminator());
  if (!again || !again->isConditional() || !number.getType()->isIntegerTy() ||
      !match(next, m_c_Add(m_Specific(&number), m_Value(step))))
    return std::nullopt;
  const auto entered = conditionOf(*guard, *first, enters_if);
  const auto goes_on = conditionOf(*again, *next, again->getSuccessor(0) == loop.getHeader());
  if (!entered || !goes_on || entered->predicate != goes_on->predicate || entered->limit != goes_on->limit)
    return std::nullopt;
  if (!loop.isLoopInvariant(step) || !loop.isLoopInvariant(goes_on->limit)) // both are used outside the loop
    return std::nullopt;
  assert(loop.contains(latch) && !loop.contains(end) && first != next && "the guard leads around the loop");
  return StridedLoop{&loop, guard, end, &number, first, step, goes_on->limit, goes_on->predicate};
}

bool sharesAllButNumber(const StridedLoop &strided, LinearForms &forms) {
  if (!forms.isShared(*strided.step) || !forms.isShared(*strided.limit))
    return false;
  for (BasicBlock *block : strided.loop->blocks())
    for (Instruction &instruction : *block)
      for (Value *operand : instruction.operands()) {
        const auto *outside = dyn_cast<Instruction>(operand);
        if (&instruction != strided.number && outside && !strided.loop->contains(outside) && !forms.isShared(*operand))
          return false;
      }
  return true;
}

bool hasSideEffects(const Instruction &instruction) {
  return instruction.mayHaveSideEffects() && !isa<NoAliasScopeDeclInst>(instruction);
}

bool isFreeUpdate(const Instruction &instruction) {
  const auto *update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && update->use_empty() && update->getOrdering() == AtomicOrdering::Monotonic;
}

bool hasFewTurns(const Loop &loop) {
  return getBooleanLoopAttribute(&loop, kFewTurns);
}

void takeTogether(const StridedLoop &strided, unsigned width, Value *count, Value *lane) {
  Splitter(strided, width, count, lane).run();
  addStringMetadataToLoop(strided.loop, kFewTurns, 1);
  addStringMetadataToLoop(strided.loop, "llvm.loop.unroll.disable", 1);
}

} // namespace lanecl::vectorizer
