// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/waiting/waiting_loops.h"

#include "analysis/effects.h"
#include "analysis/lane_target.h"
#include "analysis/markers.h"
#include "analysis/primitives.h"
#include "analysis/waiting/turn_controls.h"
#include "analysis/waiting/turn_progress.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

bool isLocal(const Instruction *access) {
  return addressOf(*access)->getType()->getPointerAddressSpace() == kLocal;
}

// Unoptimized code for a debugger loads a pointer from its variable, and computes an address anew, for each access.
bool isSamePlace(const Value &a, const Value &b) {
  const Value *x = a.stripPointerCasts(), *y = b.stripPointerCasts();
  const auto *of_x = dyn_cast<Instruction>(x), *of_y = dyn_cast<Instruction>(y);
  if (x == y || !of_x || !of_y || of_x->getOpcode() != of_y->getOpcode() || !isa<LoadInst, GetElementPtrInst>(x))
    return x == y;
  return all_of(zip(of_x->operands(), of_y->operands()),
                [](auto pair) { return isSamePlace(*std::get<0>(pair), *std::get<1>(pair)); });
}

class LoopJudge {
public:
  LoopJudge(Loop &loop, ScalarEvolution &evolution, AAResults &aliases)
      : loop(loop), evolution(evolution), aliases(aliases), controls(loop) {}

  const Instruction *read(bool or_limited); // that decides whether the loop ends, if it waits; else null

private:
  void addConditionsOf(const BasicBlock *block);
  void addDecisions();
  void addControls(const PHINode &phi);
  void addStores(const Value &variable);
  void add(const Value *value);
  void addOperands(const Instruction &instruction);
  void visit(const Instruction &instruction);
  bool waitsAt(const Instruction &access) const;
  bool movesOn(const Value &address) const;
  bool anyInLoop(function_ref<bool(const Instruction &)> test) const;
  bool isUpdated(const Value &place) const;
  bool meetsInEachTurn() const;
  bool onlyAsks(const Value &address) const;
  bool isLimited(const Instruction &access) const;

  Loop &loop;
  ScalarEvolution &evolution;
  AAResults &aliases;
  const TurnControls controls;
  SmallPtrSet<const BasicBlock *, 16> controlled; // whose conditions are among the deciding values
  SmallSetVector<const Value *, 16> deciding;
  SmallVector<const Instruction *, 2> reads;
  bool has_fence = false;
};

// The conditions that decide whether a block is reached in a turn, and those on which it depends which of them are
// asked.
void LoopJudge::addConditionsOf(const BasicBlock *block) {
  SmallVector<const BasicBlock *> reached;
  const auto reach = [&](const BasicBlock *other) {
    if (loop.contains(other) && controlled.insert(other).second)
      reached.push_back(other);
  };
  for (reach(block); !reached.empty();)
    for (const Instruction *end : controls.of(*reached.pop_back_val())) {
      add(end->getOperand(0));
      reach(end->getParent());
    }
}

// The same for whether another turn follows.
void LoopJudge::addDecisions() {
  for (const Instruction *end : controls.ofEnd()) {
    add(end->getOperand(0));
    addConditionsOf(end->getParent());
  }
}

void LoopJudge::add(const Value *value) {
  if (const auto *instruction = dyn_cast<Instruction>(value); instruction && loop.contains(instruction))
    deciding.insert(value);
}

void LoopJudge::addOperands(const Instruction &instruction) {
  for (const Value *operand : instruction.operands())
    add(operand);
}

// The conditions by which one of the phi's blocks is left for it and not another one.
void LoopJudge::addControls(const PHINode &phi) {
  if (count_if(phi.blocks(), [&](const BasicBlock *from) { return loop.contains(from); }) < 2)
    return;
  for (const BasicBlock *from : phi.blocks()) {
    if (!loop.contains(from))
      continue;
    if (from->getTerminator()->getNumSuccessors() > 1)
      add(from->getTerminator()->getOperand(0));
    addConditionsOf(from);
  }
}

// Unoptimized code for a debugger keeps the program's variables in memory.
void LoopJudge::addStores(const Value &variable) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (const auto *store = dyn_cast<StoreInst>(&instruction);
          store && getUnderlyingObject(store->getPointerOperand()) == &variable) {
        add(store->getValueOperand());
        addConditionsOf(block);
      }
}

void LoopJudge::visit(const Instruction &instruction) {
  if (const auto *phi = dyn_cast<PHINode>(&instruction)) {
    addControls(*phi);
    addOperands(*phi);
  } else if (waitsAt(instruction)) {
    reads.push_back(&instruction);
  } else if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
    addOperands(instruction);
    if (isa<LoadInst>(instruction))
      if (const Value *object = getUnderlyingObject(instruction.getOperand(0)); isa<AllocaInst>(object))
        addStores(*object);
  }
}

// Each turn accesses another element: it ends where the memory does.
bool LoopJudge::movesOn(const Value &address) const {
  const auto *line = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(&address)));
  return line != nullptr && line->getLoop() == &loop && evolution.isKnownNonZero(line->getStepRecurrence(evolution));
}

bool LoopJudge::anyInLoop(function_ref<bool(const Instruction &)> test) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, test); });
}

// Whether an atomic operation of the loop is to this place, so that each turn reads it anew.
bool LoopJudge::isUpdated(const Value &place) const {
  return anyInLoop([&](const Instruction &other) {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(other) && isSamePlace(*addressOf(other), place);
  });
}

// In each turn all sub-groups of the work-group get on to a barrier.
bool LoopJudge::meetsInEachTurn() const {
  return !mayRepeatWithout(loop, [&](const Instruction &end, unsigned) {
    return any_of(*end.getParent(),
                  [](const Instruction &instruction) { return isPrimitive(instruction, Primitive::WorkGroupBarrier); });
  });
}

bool LoopJudge::waitsAt(const Instruction &access) const {
  if (const auto *load = dyn_cast<LoadInst>(&access); load && !load->hasMetadata(LLVMContext::MD_invariant_load) &&
                                                      (has_fence || isUpdated(*load->getPointerOperand()))) {
    if (!isShared(*load->getPointerOperand()))
      return false;
  } else if (!readsOthers(access)) {
    return false;
  }
  return !movesOn(*addressOf(access));
}

// The loop accesses nothing but this place.
bool LoopJudge::onlyAsks(const Value &address) const {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (instruction.mayReadOrWriteMemory() && !isa<FenceInst>(instruction) && !markerOf(instruction) &&
          !instruction.hasMetadata(LLVMContext::MD_invariant_load)) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        if (call != nullptr ? !call->onlyAccessesInaccessibleMemory() : addressOf(instruction) != &address)
          return false;
      }
  return true;
}

// Whether it asks so many times at most, and does something else meanwhile.
bool LoopJudge::isLimited(const Instruction &access) const {
  constexpr unsigned kFew = 64;
  if (isa<SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop)))
    return false;
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  const Value *address = addressOf(access);
  return (most != 0 && most <= kFew) || !loop.isLoopInvariant(address) || !onlyAsks(*address);
}

const Instruction *LoopJudge::read(bool or_limited) {
  for (const BasicBlock *block : loop.blocks())
    has_fence |= any_of(*block, [](const Instruction &instruction) { return isa<FenceInst>(instruction); });
  addDecisions();
  for (size_t i = 0; i < deciding.size(); ++i)
    visit(*cast<Instruction>(deciding[i]));
  if (any_of(reads, isLocal) && meetsInEachTurn())
    erase_if(reads, isLocal);
  if (reads.empty() || TurnProgress(loop, aliases, TurnProgress::kProved).inEachTurn())
    return nullptr;
  const auto found = find_if(
      reads, [&](const Instruction *access) { return (or_limited && readsOthers(*access)) || !isLimited(*access); });
  return found != reads.end() ? *found : nullptr;
}

} // namespace

bool mayWaitAt(const Instruction &instruction) {
  return readsOthers(instruction) || isa<FenceInst>(instruction);
}

bool mayWait(const Function &function) {
  return any_of(instructions(function), mayWaitAt);
}

SmallVector<WaitingLoop, 2> findWaitingLoops(const LoopInfo &loops, ScalarEvolution &evolution, AAResults &aliases,
                                             bool or_limited) {
  SmallVector<WaitingLoop, 2> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, mayWaitAt); }))
      if (const Instruction *read = LoopJudge(*loop, evolution, aliases).read(or_limited))
        found.push_back({loop, read, TurnProgress(*loop, aliases, TurnProgress::kLikely).inEachTurn()});
  return found;
}

} // namespace lanecl::vectorizer
