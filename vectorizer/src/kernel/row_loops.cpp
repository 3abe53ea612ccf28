// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernel/row_loops.h"

#include "analysis/markers.h"
#include "analysis/primitives.h"
#include "kernel/launch_queries.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr const char *kTakesWholeRow = "lanecl.takes.whole.row";
constexpr unsigned kMostInstructions = 100; // of a loop that is copied
constexpr unsigned kShortStep = 1024;       // beyond, the next turn is on another page or nearly so

// A number that is a constant times the lane, plus one times the sub-group's number, plus one times the work-items of
// the rows before, plus what all rows share.
struct Linear {
  int64_t lane = 0, sub_group = 0, rows = 0;
  bool isShared() const { return lane == 0 && sub_group == 0 && rows == 0; }
};
using MaybeLinear = std::optional<Linear>;

// Every work-item of the rows computes the value: what flags promise of it holds for all of them.
class LinearForms {
public:
  explicit LinearForms(unsigned axis) : axis(axis) {}
  MaybeLinear of(Value &value, unsigned depth = 0);
  bool isShared(Value &value) {
    const MaybeLinear form = of(value);
    return form && form->isShared();
  }

private:
  bool isOfAxis(Value &value, Primitive primitive) const;
  bool isRowsBefore(Instruction &op) const;
  MaybeLinear ofQuery(const CallBase &call) const;
  MaybeLinear ofExtension(CastInst &cast, unsigned depth);
  MaybeLinear ofOperation(Instruction &op, unsigned depth);

  unsigned axis; // of the row
};

// The query, perhaps in fewer bits.
bool LinearForms::isOfAxis(Value &value, Primitive primitive) const {
  Value *source = &value;
  while (isa<TruncInst, ZExtInst, SExtInst>(source))
    source = cast<CastInst>(source)->getOperand(0);
  const auto *call = dyn_cast<CallBase>(source);
  return call && primitiveOf(*call) == primitive && dimensionOf(*call) == axis;
}

// As LaunchQueries::globalId makes it: rows are whole units, and of the bits above LLVM clears those that are 0 anyway.
bool LinearForms::isRowsBefore(Instruction &op) const {
  Value *product = &op, *a = nullptr, *b = nullptr;
  const APInt *kept = nullptr;
  if (match(&op, m_And(m_Value(product), m_APInt(kept)))) {
    const APInt units(kept->getBitWidth(), -int64_t{LaunchClass::kRowUnit}, /*isSigned=*/true);
    if (!units.isSubsetOf(*kept | computeKnownBits(product, op.getDataLayout()).Zero))
      return false;
  }
  if (!match(product, m_Mul(m_Value(a), m_Value(b))))
    return false;
  if (isOfAxis(*b, Primitive::GroupId))
    std::swap(a, b);
  return isOfAxis(*a, Primitive::GroupId) && isOfAxis(*b, Primitive::EnqueuedLocalSize);
}

MaybeLinear LinearForms::ofQuery(const CallBase &call) const {
  const std::optional<Primitive> primitive = primitiveOf(call);
  if (!primitive)
    return std::nullopt;
  switch (*primitive) {
  case Primitive::LaneId: return Linear{1, 0, 0};
  case Primitive::SubGroupId: return Linear{0, 1, 0};
  case Primitive::GroupId:
    if (dimensionOf(call) == axis) // but for the rows before
      return std::nullopt;
    return Linear{};
  case Primitive::NumGroups:
  case Primitive::LocalSize:
  case Primitive::EnqueuedLocalSize:
  case Primitive::GlobalSize:
  case Primitive::GlobalOffset:
  case Primitive::WorkDim: return Linear{};
  default: return std::nullopt;
  }
}

// Numbers below 2^(n-1) that differ by less are as far apart in more bits.
MaybeLinear LinearForms::ofExtension(CastInst &cast, unsigned depth) {
  const MaybeLinear narrow = of(*cast.getOperand(0), depth + 1);
  if (!narrow || narrow->isShared())
    return narrow;
  // Of fewer bits the numbers of one row may differ by more.
  const bool is_rising =
      narrow->lane >= 0 && narrow->sub_group >= 0 && narrow->rows >= 0 && cast.getSrcTy()->getScalarSizeInBits() >= 32;
  const bool is_not_negative =
      (isa<ZExtInst>(cast) && cast.hasNonNeg()) || isKnownNonNegative(cast.getOperand(0), cast.getDataLayout());
  return is_rising && is_not_negative ? narrow : std::nullopt;
}

MaybeLinear LinearForms::ofOperation(Instruction &op, unsigned depth) {
  if (isRowsBefore(op))
    return Linear{0, 0, 1};
  SmallVector<Linear, 2> operands;
  for (Value *operand : op.operands()) {
    const MaybeLinear form = of(*operand, depth + 1);
    if (!form)
      return std::nullopt;
    operands.push_back(*form);
  }
  if (all_of(operands, [](const Linear &form) { return form.isShared(); }))
    return Linear{};
  constexpr int64_t kMost = int64_t{1} << 31; // of ids within a row
  const auto scaled = [&](int64_t factor) -> MaybeLinear {
    const auto [lane, sub_group, rows] = operands[0];
    if (std::max({std::abs(lane), std::abs(sub_group), std::abs(rows)}) > kMost)
      return std::nullopt;
    return Linear{lane * factor, sub_group * factor, rows * factor};
  };
  const APInt *constant = nullptr;
  if (match(&op, m_Add(m_Value(), m_Value())) || match(&op, m_DisjointOr(m_Value(), m_Value())))
    return Linear{operands[0].lane + operands[1].lane, operands[0].sub_group + operands[1].sub_group,
                  operands[0].rows + operands[1].rows};
  if (match(&op, m_Shl(m_Value(), m_APInt(constant))) && constant->ult(16))
    return scaled(int64_t{1} << constant->getZExtValue());
  if (match(&op, m_Mul(m_Value(), m_APInt(constant))) && constant->ult(1U << 16))
    return scaled(constant->getSExtValue());
  return std::nullopt;
}

MaybeLinear LinearForms::of(Value &value, unsigned depth) {
  constexpr unsigned kDeepest = 12;
  if (isa<Constant, Argument>(value))
    return Linear{};
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth > kDeepest)
    return std::nullopt;
  if (const auto *call = dyn_cast<CallBase>(instruction))
    return ofQuery(*call);
  if (const auto *load = dyn_cast<LoadInst>(instruction)) // a kernel's argument
    return load->hasMetadata(LLVMContext::MD_invariant_load)
               ? of(*load->getOperand(0)->stripInBoundsOffsets(), depth + 1)
               : std::nullopt;
  if (isa<TruncInst>(instruction))
    return of(*instruction->getOperand(0), depth + 1);
  if (isa<ZExtInst, SExtInst>(instruction))
    return ofExtension(cast<CastInst>(*instruction), depth);
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst, GetElementPtrInst, FreezeInst>(instruction))
    return ofOperation(*instruction, depth);
  return std::nullopt;
}

// `moving` predicate `limit`, for as long as a loop goes on.
struct Condition {
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  Value *moving = nullptr, *limit = nullptr;
};

// Nothing when the branch does not compare `moving`.
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

// entry ─┬─> preheader ─> loop (rotated) ─> exit ─┬─> end, which returns
//        └────────────────────────────────────────┘
struct RowLoop {
  Loop *loop;
  BranchInst *guard;
  BasicBlock *end;
  PHINode *number; // i
  Value *first, *step;
  Condition goes_on; // of i
};

bool canBeReordered(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic() || instruction.getType()->isTokenTy())
    return false;
  const auto *call = dyn_cast<CallBase>(&instruction);
  return !call || (!call->isConvergent() && !call->cannotDuplicate() && !call->mayHaveSideEffects());
}

// Where a `restrict` parameter begins says nothing about order.
bool hasSideEffects(const Instruction &instruction) {
  return instruction.mayHaveSideEffects() && !isa<NoAliasScopeDeclInst>(instruction);
}

// In the entry there is nothing but what every sub-group computes alike; the loop uses of it what all share, and `i`.
bool sharesAllButNumber(Function &function, const Loop &loop, const PHINode &number, LinearForms &forms) {
  for (const Instruction &instruction : function.getEntryBlock())
    if (hasSideEffects(instruction) || isa<AllocaInst>(instruction))
      return false;
  unsigned instructions = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!canBeReordered(instruction) || ++instructions > kMostInstructions)
        return false;
      for (Value *operand : instruction.operands()) {
        const auto *outside = dyn_cast<Instruction>(operand);
        if (&instruction != &number && outside && !loop.contains(outside) && !forms.isShared(*operand))
          return false;
      }
    }
  return true;
}

// The kernel consists of the loop, its guard and the way to them.
bool hasNothingElse(const Function &function, const Loop &loop, const BasicBlock &end) {
  const BasicBlock *exit = loop.getExitBlock(), *preheader = loop.getLoopPreheader();
  return function.size() == loop.getNumBlocks() + 4 && exit->getUniqueSuccessor() == &end &&
         &*exit->getFirstNonPHIOrDbg() == exit->getTerminator() && isa<ReturnInst>(*end.getFirstNonPHIOrDbg()) &&
         end.phis().empty() && preheader->getSinglePredecessor() == &function.getEntryBlock() &&
         all_of(*preheader, [](const Instruction &i) {
           return i.isTerminator() || (!i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i));
         });
}

std::optional<RowLoop> find(Function &function, LoopInfo &loops, const LaunchClass &launch) {
  if (loops.getTopLevelLoops().size() != 1)
    return std::nullopt;
  Loop &loop = *loops.getTopLevelLoops()[0];
  auto *guard = dyn_cast<BranchInst>(function.getEntryBlock().getTerminator());
  BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch || !loop.getExitBlock() ||
      !guard || !guard->isConditional())
    return std::nullopt;
  const bool enters_if = guard->getSuccessor(0) == preheader;
  BasicBlock *end = guard->getSuccessor(enters_if ? 1 : 0);
  auto phis = loop.getHeader()->phis();
  if (!hasSingleElement(phis) || !hasNothingElse(function, loop, *end))
    return std::nullopt;
  PHINode &number = *phis.begin();
  Value *next = number.getIncomingValueForBlock(latch), *first = number.getIncomingValueForBlock(preheader);
  Value *step = nullptr;
  const auto *again = dyn_cast<BranchInst>(latch->getTerminator());
  if (!again || !again->isConditional() || !match(next, m_c_Add(m_Specific(&number), m_Value(step))))
    return std::nullopt;
  const auto entered = conditionOf(*guard, *first, enters_if);
  const auto goes_on = conditionOf(*again, *next, again->getSuccessor(0) == loop.getHeader());
  if (!entered || !goes_on || entered->predicate != goes_on->predicate || entered->limit != goes_on->limit)
    return std::nullopt;
  LinearForms forms(*launch.rowAxis());
  const MaybeLinear form = forms.of(*first);
  const auto *known_step = dyn_cast<ConstantInt>(step);
  if (!loop.isLoopInvariant(step) || !loop.isLoopInvariant(goes_on->limit)) // both are used outside of it
    return std::nullopt;
  if (!form || number.getType()->getIntegerBitWidth() < 32 || form->lane != 1 ||
      form->sub_group != int64_t{launch.width} || form->rows != 1 || !forms.isShared(*step) ||
      !forms.isShared(*goes_on->limit) || (known_step && known_step->getValue().ult(kShortStep)) ||
      !sharesAllButNumber(function, loop, number, forms))
    return std::nullopt;
  return RowLoop{&loop, guard, end, &number, first, step, *goes_on};
}

class Splitter {
public:
  Splitter(Function &function, const RowLoop &row, const LaunchClass &launch)
      : function(function), row(row), launch(launch), b(row.guard) {}
  void run();

private:
  void measureRow();
  Value *ofSubGroup(Value *number, Value *sub_group);
  Value *goesOn(Value *number);
  Value *wholeRowGoesOn(Value *number);
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(function.getContext(), name, &function, row.loop->getLoopPreheader());
  }
  BasicBlock *copyOfTurn(Value *number, BasicBlock *behind);
  void forEachSubGroup(BasicBlock *from, BasicBlock *after, const char *name,
                       function_ref<void(Value *sub_group, BasicBlock *next)> body);

  Function &function;
  const RowLoop &row;
  const LaunchClass &launch;
  IRBuilder<> b;
  Value *count = nullptr; // of sub-groups
  Value *last = nullptr;  // how much larger the last one's numbers are than the first one's
  Value *lane = nullptr;
};

void Splitter::measureRow() {
  Type *type = row.number->getType();
  LaunchQueries queries(function, launch);
  count = b.CreateZExtOrTrunc(queries.fullSubGroupsOfRow(), type, "row.count");
  lane = b.CreateZExtOrTrunc(queries.query(Primitive::LaneId, std::nullopt), type);
  last = b.CreateMul(b.CreateSub(count, ConstantInt::get(type, 1)), ConstantInt::get(type, launch.width), "row.last");
}

Value *Splitter::ofSubGroup(Value *number, Value *sub_group) {
  return b.CreateAdd(number, b.CreateMul(sub_group, ConstantInt::get(sub_group->getType(), launch.width)));
}

Value *Splitter::goesOn(Value *number) {
  return b.CreateICmp(row.goes_on.predicate, number, row.goes_on.limit);
}

// Numbers that rise without wrap-around from the first sub-group's to the last one's pass if both do.
Value *Splitter::wholeRowGoesOn(Value *number) {
  Value *start = b.CreateSub(number, lane), *end = b.CreateAdd(start, last);
  const CmpInst::Predicate rises = CmpInst::isSigned(row.goes_on.predicate) ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  Value *result = createWhole(b, b.CreateICmp(rises, start, end));
  result = b.CreateAnd(result, createWhole(b, goesOn(number)));
  return b.CreateAnd(result, createWhole(b, goesOn(b.CreateAdd(number, last))), "row.goes.on");
}

// One turn for one sub-group's numbers, which goes on `behind`. Returns its first block.
BasicBlock *Splitter::copyOfTurn(Value *number, BasicBlock *behind) {
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 8> blocks;
  for (BasicBlock *original : row.loop->blocks()) {
    blocks.push_back(CloneBasicBlock(original, copies, ".row", &function));
    copies[original] = blocks.back();
  }
  remapInstructionsInBlocks(blocks, copies);
  auto *phi = cast<PHINode>(&*copies.lookup(row.number));
  phi->replaceAllUsesWith(number);
  phi->eraseFromParent();
  auto *end = cast<BasicBlock>(&*copies.lookup(row.loop->getLoopLatch()));
  end->getTerminator()->eraseFromParent();
  BranchInst::Create(behind, end);
  return cast<BasicBlock>(&*copies.lookup(row.loop->getHeader()));
}

// from ─> name ─> … ─> next ─┬─> after
//          └─────────────────┘
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
  BasicBlock *entry = row.guard->getParent(), *preheader = row.loop->getLoopPreheader();
  BasicBlock *exit = row.loop->getExitBlock();
  for (Instruction &instruction : make_early_inc_range(*preheader))
    if (!instruction.isTerminator()) {
      instruction.moveBefore(row.guard->getIterator());
      instruction.dropUBImplyingAttrsAndMetadata();
    }
  b.SetCurrentDebugLocation(row.guard->getDebugLoc());
  measureRow();
  BasicBlock *turn = block("row.turn"), *turn_end = block("row.turn.end"), *rest = block("row.rest");
  b.CreateCondBr(wholeRowGoesOn(row.first), turn, rest);
  row.guard->eraseFromParent();

  b.SetInsertPoint(turn);
  PHINode *number = b.CreatePHI(row.number->getType(), 2, "row.number");
  number->addIncoming(row.first, entry);
  forEachSubGroup(turn, turn_end, "row.sub_group", [&](Value *sub_group, BasicBlock *next) {
    Value *own = ofSubGroup(number, sub_group);
    b.CreateBr(copyOfTurn(own, next));
  });
  b.SetInsertPoint(turn_end);
  Value *following = b.CreateAdd(number, row.step);
  number->addIncoming(following, turn_end);
  b.CreateCondBr(wholeRowGoesOn(following), turn, rest);

  b.SetInsertPoint(rest);
  PHINode *left = b.CreatePHI(row.number->getType(), 2, "row.left");
  left->addIncoming(row.first, entry);
  left->addIncoming(following, turn_end);
  forEachSubGroup(rest, row.end, "row.rest.sub_group", [&](Value *sub_group, BasicBlock *next) {
    Value *own = ofSubGroup(left, sub_group);
    row.number->setIncomingValueForBlock(preheader, own);
    b.CreateCondBr(goesOn(own), preheader, next);
    exit->getTerminator()->replaceSuccessorWith(row.end, next);
  });
  function.addFnAttr(kTakesWholeRow);
}

} // namespace

bool takesWholeRow(const Function &function) {
  return function.hasFnAttribute(kTakesWholeRow);
}

PreservedAnalyses RowLoopsPass::run(Function &function, FunctionAnalysisManager &manager) {
  if (!context.launch.isRow() || !function.getReturnType()->isVoidTy() || context.launch.isOneLane())
    return PreservedAnalyses::all();
  manager.invalidate(function, LoopSimplifyPass().run(function, manager));
  const std::optional<RowLoop> row = find(function, manager.getResult<LoopAnalysis>(function), context.launch);
  if (!row)
    return PreservedAnalyses::none();
  Splitter(function, *row, context.launch).run();
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
