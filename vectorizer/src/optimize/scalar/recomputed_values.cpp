// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/recomputed_values.h"

#include "analysis/functions/primitives.h"
#include "pass_support/preserved.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

constexpr unsigned kFewestInstructions = 12; // a cheaper value is not worth a store and a load
constexpr unsigned kMostInstructions = 150;  // in one loop

// A loop of one block that counts from `first` by a constant step.
struct Counted {
  BasicBlock *block;
  const Loop *parent;
  PHINode *number;
  Value *first, *next;
  ICmpInst *goes_on;
  bool goes_on_if;
  BasicBlock *preheader;
  BasicBlock *before;     // the block that ends with the guard, or the preheader
  Value *guard = nullptr; // the condition to enter the loop; null: the loop is always entered
  bool enters_if = true;
};

// Describes the loop if it is such a loop and not too long.
std::optional<Counted> countedLoop(const Loop &loop, const LoopInfo &loops) {
  BasicBlock *block = loop.getHeader(), *preheader = loop.getLoopPreheader();
  if (loop.getNumBlocks() != 1 || preheader == nullptr || loop.getExitBlock() == nullptr ||
      block->size() > kMostInstructions)
    return std::nullopt;
  auto *again = dyn_cast<BranchInst>(block->getTerminator());
  auto *compare = again != nullptr && again->isConditional() ? dyn_cast<ICmpInst>(again->getCondition()) : nullptr;
  if (compare == nullptr)
    return std::nullopt;
  // The loop counts by a phi, and its condition compares the phi's next value with an invariant.
  for (PHINode &phi : block->phis()) {
    const APInt *step = nullptr;
    Value *next = phi.getIncomingValueForBlock(block);
    if (!phi.getType()->isIntegerTy() || !match(next, m_Add(m_Specific(&phi), m_APInt(step))) || step->isZero() ||
        compare->getOperand(0) != next || !loop.isLoopInvariant(compare->getOperand(1)))
      continue;
    Counted result{.block = block,
                   .parent = loop.getParentLoop(),
                   .number = &phi,
                   .first = phi.getIncomingValueForBlock(preheader),
                   .next = next,
                   .goes_on = compare,
                   .goes_on_if = again->getSuccessor(0) == block,
                   .preheader = preheader,
                   .before = preheader};
    BasicBlock *asks = preheader->getSinglePredecessor();
    auto *branch = asks != nullptr ? dyn_cast<BranchInst>(asks->getTerminator()) : nullptr;
    if (branch != nullptr && branch->isConditional() && loops.getLoopFor(asks) == loop.getParentLoop()) {
      result.guard = branch->getCondition();
      result.enters_if = branch->getSuccessor(0) == preheader;
      result.before = asks;
    }
    return result;
  }
  return std::nullopt;
}

// Returns whether both loops run the same number of turns with the same numbers.
bool countAlike(const Counted &a, const Counted &b) {
  const auto step = [](const Counted &loop) { return cast<BinaryOperator>(loop.next)->getOperand(1); };
  return a.first == b.first && step(a) == step(b) && a.goes_on->getPredicate() == b.goes_on->getPredicate() &&
         a.goes_on->getOperand(1) == b.goes_on->getOperand(1) && a.goes_on_if == b.goes_on_if;
}

// Returns whether each of the loops is entered once if the other one is: either nothing guards the second one after the
// first one, or the same condition guards both. If the second loop did not run, the values kept by the first one would
// stay in memory. If it ran again, it would find its own results there instead of the kept values.
bool enterTogether(const Counted &a, const Counted &b, const DominatorTree &dominators) {
  if (a.parent != b.parent)
    return false;
  if (b.guard == nullptr)
    return dominators.dominates(a.block, b.before);
  return a.guard == b.guard && a.enters_if == b.enters_if && dominators.dominates(a.before, b.before);
}

// Returns whether the instruction may access memory that the program can write.
bool touchesMemory(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && call->onlyAccessesInaccessibleMemory())
    return false;
  const bool is_constant = isa<LoadInst>(instruction) && instruction.hasMetadata(LLVMContext::MD_invariant_load);
  return !is_constant && instruction.mayReadOrWriteMemory();
}

// Returns whether the second loop runs only after the first one, the only way from the first one leads there, and
// nothing between them accesses memory.
bool followsAtOnce(const Counted &a, const Counted &b, const DominatorTree &dominators) {
  constexpr unsigned kMostBlocks = 4;
  if (!enterTogether(a, b, dominators) || any_of(*b.preheader, touchesMemory))
    return false;
  const auto *leaves = cast<BranchInst>(a.block->getTerminator());
  BasicBlock *block = leaves->getSuccessor(leaves->getSuccessor(0) == a.block ? 1 : 0);
  for (unsigned i = 0; i < kMostBlocks && block != nullptr; ++i) {
    if (any_of(*block, touchesMemory))
      return false;
    if (block == b.before)
      return true;
    block = block->getUniqueSuccessor();
  }
  return false;
}

// Keeps one value of the first loop `a` for the second loop `b`.
class Keeper {
public:
  Keeper(const Counted &a, const Counted &b, const DominatorTree &dominators, AAResults &aliases,
         ScalarEvolution &evolution)
      : a(a), b(b), dominators(dominators), aliases(aliases), evolution(evolution) {}
  bool run();

private:
  bool findStore();
  bool isOfGroup() const;
  bool mayKeep() const;
  void matchInstructions();
  Instruction *partnerOf(const Instruction &instruction) const;
  const SCEVAddRecExpr *addressIn(const Counted &loop, Value &pointer) const;
  bool loadSame(const Instruction &x, const Instruction &y) const;
  bool findAddress(Value *value);
  unsigned cost(Value *value, SmallPtrSetImpl<Value *> &seen) const;
  Instruction *choose() const;
  Value *addressAt(Instruction &place, bool in_first);
  void keep(Instruction &value);

  const Counted &a, &b;
  const DominatorTree &dominators;
  AAResults &aliases;
  ScalarEvolution &evolution;
  StoreInst *store = nullptr;
  // The instructions that compute the store's address from values known before the first loop, in order.
  SmallSetVector<Instruction *, 8> address;
  DenseMap<const Value *, Value *> partners; // maps values of the second loop to equal values of the first one
};

// Finds the only store of the second loop, which writes another place in each turn. Returns false if there are other
// side effects; the first loop must have none.
bool Keeper::findStore() {
  for (Instruction &instruction : *a.block)
    if (instruction.mayHaveSideEffects() || (isa<LoadInst>(instruction) && !cast<LoadInst>(instruction).isSimple()))
      return false;
  for (Instruction &instruction : *b.block) {
    if (auto *found = dyn_cast<StoreInst>(&instruction); found && !store && found->isSimple())
      store = found;
    else if (instruction.mayHaveSideEffects())
      return false;
  }
  if (store == nullptr || !findAddress(store->getPointerOperand()))
    return false;
  const SCEVAddRecExpr *place = addressIn(b, *store->getPointerOperand());
  const auto *step = place != nullptr ? dyn_cast<SCEVConstant>(place->getOperand(1)) : nullptr;
  const uint64_t bytes = store->getDataLayout().getTypeStoreSize(store->getAccessType());
  return step != nullptr && step->getAPInt().abs().uge(bytes);
}

// Returns the address as a recurrence that advances by the same step in each turn; null for any other address.
const SCEVAddRecExpr *Keeper::addressIn(const Counted &loop, Value &pointer) const {
  const auto *place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&pointer));
  return place != nullptr && place->isAffine() && place->getLoop()->getHeader() == loop.block ? place : nullptr;
}

// Returns whether both instructions load from the same address in the same turn.
bool Keeper::loadSame(const Instruction &x, const Instruction &y) const {
  if (!isa<LoadInst>(x) || !isa<LoadInst>(y) || x.getType() != y.getType())
    return false;
  const SCEVAddRecExpr *of_x = addressIn(b, *getLoadStorePointerOperand(const_cast<Instruction *>(&x)));
  const SCEVAddRecExpr *of_y = addressIn(a, *getLoadStorePointerOperand(const_cast<Instruction *>(&y)));
  return of_x != nullptr && of_y != nullptr && of_x->operands() == of_y->operands();
}

// Returns whether the value is computed, without memory, from the loop's number and from values known before the first
// loop, and notes the instructions. A value of the first loop does not qualify, because it differs in each turn.
bool Keeper::findAddress(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || instruction == b.number ||
      dominators.dominates(instruction, a.preheader->getTerminator()) || address.contains(instruction))
    return true;
  if (!isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction) || !isSafeToSpeculativelyExecute(instruction) ||
      !all_of(instruction->operands(), [&](Use &operand) { return findAddress(operand); }))
    return false;
  address.insert(instruction);
  return true;
}

// Returns whether the stored place may differ between work-groups: its address depends on the work-group's number or on
// memory. If all work-groups write the same places, usually each of them writes the same numbers; one of them could
// then read another one's final number instead of its own kept value.
bool Keeper::isOfGroup() const {
  SmallVector<const Value *, 16> values{store->getPointerOperand()};
  SmallPtrSet<const Value *, 16> seen;
  while (!values.empty()) {
    const auto *instruction = dyn_cast<Instruction>(values.pop_back_val());
    if (instruction == nullptr || !seen.insert(instruction).second)
      continue;
    const std::optional<Primitive> query = primitiveOf(static_cast<const Value &>(*instruction));
    if (query == Primitive::GroupId || query == Primitive::GlobalId)
      return true;
    if (touchesMemory(*instruction))
      return true;
    append_range(values, instruction->operands());
  }
  return false;
}

// Returns whether everything that the loops load is outside the stored memory.
bool Keeper::mayKeep() const {
  const MemoryLocation stored = MemoryLocation::getBeforeOrAfter(store->getPointerOperand(), store->getAAMetadata());
  const auto is_elsewhere = [&](const Instruction &instruction) {
    const auto *load = dyn_cast<LoadInst>(&instruction);
    if (load == nullptr || load->hasMetadata(LLVMContext::MD_invariant_load))
      return true;
    return aliases.isNoAlias(stored,
                             MemoryLocation::getBeforeOrAfter(load->getPointerOperand(), load->getAAMetadata()));
  };
  return all_of(*a.block, is_elsewhere) && all_of(*b.block, is_elsewhere);
}

// Returns the instruction of the first loop that computes the same value in the same turn, or null.
Instruction *Keeper::partnerOf(const Instruction &instruction) const {
  const auto same = [&](const Value *x, const Value *y) {
    const auto *inside = dyn_cast<Instruction>(y); // outside the first loop, its values mean those of its last turn
    return (x == y && (inside == nullptr || inside->getParent() != a.block)) || partners.lookup(x) == y;
  };
  for (Instruction &other : *a.block) {
    if (loadSame(instruction, other))
      return &other;
    if (isa<PHINode>(other) || !instruction.isSameOperationAs(&other))
      continue;
    bool equal = true;
    for (unsigned i = 0; i < instruction.getNumOperands() && equal; ++i)
      equal = same(instruction.getOperand(i), other.getOperand(i));
    if (equal)
      return &other;
  }
  return nullptr;
}

// Fills `partners`, in the order of the second loop's instructions.
void Keeper::matchInstructions() {
  partners[b.number] = a.number;
  for (const Instruction &instruction : *b.block)
    if (!isa<PHINode>(instruction) && !instruction.isTerminator() && !isa<StoreInst>(instruction))
      if (Instruction *partner = partnerOf(instruction))
        partners[&instruction] = partner;
}

// Returns how many instructions compute the value, not counting loads and their addresses.
unsigned Keeper::cost(Value *value, SmallPtrSetImpl<Value *> &seen) const {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || instruction->getParent() != b.block || isa<PHINode, LoadInst>(instruction) ||
      !seen.insert(value).second)
    return 0;
  unsigned sum = 1;
  for (Value *operand : instruction->operands())
    sum += cost(operand, seen);
  return sum;
}

// Returns the most expensive value that both loops compute and that the second one uses for something else.
Instruction *Keeper::choose() const {
  Instruction *best = nullptr;
  unsigned most = kFewestInstructions - 1;
  for (Instruction &instruction : *b.block) {
    if (!partners.contains(&instruction) || instruction.getType() != store->getAccessType() ||
        all_of(instruction.users(), [&](const User *user) { return partners.contains(user); }))
      continue;
    SmallPtrSet<Value *, 16> seen;
    if (const unsigned found = cost(&instruction, seen); found > most) {
      most = found;
      best = &instruction;
    }
  }
  return best;
}

// Computes the store's address again before `place`, for the current turn of the first or the second loop.
Value *Keeper::addressAt(Instruction &place, bool in_first) {
  ValueToValueMapTy copies;
  if (in_first)
    copies[b.number] = a.number;
  for (Instruction *instruction : address) {
    if (!in_first && instruction->getParent() != b.block)
      continue;
    Instruction *copy = instruction->clone();
    copy->insertBefore(place.getIterator());
    RemapInstruction(copy, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    copies[instruction] = copy;
    assert(all_of(copy->operands(),
                  [&](const Value *operand) {
                    const auto *definition = dyn_cast<Instruction>(operand);
                    const bool is_of_first = definition && definition->getParent() == a.block && !in_first;
                    return definition == nullptr || (dominators.dominates(definition, copy) && !is_of_first);
                  }) &&
           "the address is known there, in each turn");
  }
  Value *result = copies.lookup(store->getPointerOperand());
  assert(result != nullptr && "each turn stores to another place");
  return result;
}

// Stores the value in the first loop and loads it in the second one instead of computing it.
void Keeper::keep(Instruction &value) {
  // The first loop's instructions keep only those flags, such as `nsw`, that the second loop's instructions have, too:
  // a promise about the first use need not hold for the second one.
  for (const auto &[of_second, of_first] : partners)
    if (auto *instruction = dyn_cast<Instruction>(of_first); instruction && !isa<PHINode>(instruction)) {
      assert(none_of(cast<Instruction>(of_second)->operands(),
                     [&](const Value *operand) {
                       return isa<Instruction>(operand) && cast<Instruction>(operand)->getParent() == a.block;
                     }) &&
             "a value of the first loop is that of its last turn");
      instruction->andIRFlags(of_second);
    }
  assert(none_of(*a.block, [](const Instruction &i) { return i.mayHaveSideEffects(); }) &&
         none_of(*b.preheader, touchesMemory) && "nothing else is written, and nothing accessed between the loops");
  auto *first = cast<Instruction>(partners.lookup(&value));
  assert(first->getParent() == a.block && first->getType() == store->getAccessType() &&
         "it fits where the store writes");
  Instruction *end = a.block->getTerminator();
  auto *kept = new StoreInst(first, addressAt(*end, /*in_first=*/true), /*isVolatile=*/false, store->getAlign(),
                             end->getIterator());
  // The load comes first in the turn, because the turn's own store may stand before the value that is replaced.
  Instruction &begin = *b.block->getFirstInsertionPt();
  auto *loaded = new LoadInst(value.getType(), addressAt(begin, /*in_first=*/false), "kept", /*isVolatile=*/false,
                              store->getAlign(), begin.getIterator());
  for (Instruction *access : {static_cast<Instruction *>(kept), static_cast<Instruction *>(loaded)}) {
    access->setAAMetadata(store->getAAMetadata());
    access->setDebugLoc(value.getDebugLoc());
  }
  value.replaceAllUsesWith(loaded);
  // The second loop's computation of the value is not needed any more.
  RecursivelyDeleteTriviallyDeadInstructions(&value);
}

// Keeps a value if the loops allow it and one is worth it. Returns whether it did.
bool Keeper::run() {
  if (!findStore() || !isOfGroup() || !mayKeep())
    return false;
  assert(store != nullptr && store->isSimple() && store->getParent() == b.block && "the store of the second loop");
  assert(a.parent == b.parent && a.first == b.first && a.goes_on->getPredicate() == b.goes_on->getPredicate() &&
         "both loops run as often as each other");
  assert((b.guard == nullptr || (a.guard == b.guard && a.enters_if == b.enters_if)) && "one condition guards both");
  // The loops qualify; now look for a value that both of them compute.
  matchInstructions();
  Instruction *value = choose();
  if (value == nullptr)
    return false;
  keep(*value);
  return true;
}

} // namespace

PreservedAnalyses RecomputedValuesPass::run(Function &function, FunctionAnalysisManager &manager) {
  manager.invalidate(function, LoopSimplifyPass().run(function, manager));
  const DominatorTree &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  AAResults &aliases = manager.getResult<AAManager>(function);
  ScalarEvolution &evolution = manager.getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<Counted> loops;
  const LoopInfo &loop_info = manager.getResult<LoopAnalysis>(function);
  for (const Loop *loop : loop_info.getLoopsInPreorder())
    if (std::optional<Counted> counted = countedLoop(*loop, loop_info))
      loops.push_back(*counted);
  for (const Counted &first : loops)
    for (const Counted &second : loops)
      if (&first != &second && countAlike(first, second) && followsAtOnce(first, second, dominators) &&
          Keeper(first, second, dominators, aliases, evolution).run())
        return PreservedAnalyses::none(); // the analyses of the loops are out of date now
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
