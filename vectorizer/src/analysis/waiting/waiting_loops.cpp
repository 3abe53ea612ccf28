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
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

bool isLocal(const Instruction *read) {
  return addressReadBy(*read)->getType()->getPointerAddressSpace() == kLocal;
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

  std::optional<WaitingLoop> judge(bool or_limited); // nothing if the loop does not wait

private:
  void addConditionsOf(const BasicBlock *block);
  void addDecisions();
  void addControls(const PHINode &phi);
  void addWrites(const Instruction &read);
  void add(const Value *value);
  void addOperands(const Instruction &instruction);
  void visit(const Instruction &instruction);
  bool isSharedRead(const Instruction &instruction) const;
  bool waitsAt(const Instruction &instruction) const;
  MemoryLocation locationOf(const Instruction &access, const Value &address) const;
  bool mayReadWhatIsWrittenBy(const Instruction &write, const Instruction &read) const;
  bool movesOn(const Value &address) const;
  bool anyInLoop(function_ref<bool(const Instruction &)> test) const;
  bool isUpdated(const Value &place) const;
  bool meetsInEachTurn() const;
  bool onlyAsks(const Value &address) const;
  bool isCounted() const;
  bool endsSoon() const;

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

// What the loop itself writes where a value is read decides, too, and so do the conditions under which it does.
// Programs hand a value over to others of the work-group in local memory; unoptimized code for a debugger keeps the
// program's variables in memory.
void LoopJudge::addWrites(const Instruction &read) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &write : *block)
      if (mayReadWhatIsWrittenBy(write, read)) {
        addOperands(write);
        addConditionsOf(block);
        if (isa<AnyMemTransferInst>(write)) // it reads what it writes
          deciding.insert(&write);
      }
}

void LoopJudge::visit(const Instruction &instruction) {
  const bool waits = waitsAt(instruction);
  if (waits)
    reads.push_back(&instruction);
  if (waits && !isLocal(&instruction))
    return;
  if (const auto *phi = dyn_cast<PHINode>(&instruction))
    addControls(*phi);
  if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    addOperands(instruction);
  if (addressReadBy(instruction) != nullptr && !instruction.hasMetadata(LLVMContext::MD_invariant_load))
    addWrites(instruction);
}

// Where the access is in one turn, or in all of them.
MemoryLocation LoopJudge::locationOf(const Instruction &access, const Value &address) const {
  const std::optional<MemoryLocation> exact = MemoryLocation::getOrNone(&access);
  return exact && loop.isLoopInvariant(&address) ? *exact
                                                 : MemoryLocation::getBeforeOrAfter(&address, access.getAAMetadata());
}

// Whether a turn may read what it, or an earlier one, has written. Pointers that are exchanged from turn to turn may be
// different in each of them, and the same in two.
bool LoopJudge::mayReadWhatIsWrittenBy(const Instruction &write, const Instruction &read) const {
  const Value *from = addressReadBy(read), *to = addressWrittenBy(write);
  if (to == nullptr || areDifferentArguments(*from, *to, aliases))
    return false;
  if (loop.isLoopInvariant(from) && loop.isLoopInvariant(to))
    return !aliases.isNoAlias(locationOf(read, *from), locationOf(write, *to));
  SmallVector<const Value *> objects_read, objects_written;
  getUnderlyingObjects(from, objects_read);
  getUnderlyingObjects(to, objects_written);
  return any_of(objects_read, [&](const Value *a) {
    return any_of(objects_written, [&](const Value *b) {
      return !aliases.isNoAlias(MemoryLocation::getBeforeOrAfter(a), MemoryLocation::getBeforeOrAfter(b));
    });
  });
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

bool LoopJudge::isSharedRead(const Instruction &instruction) const {
  const Value *address = addressReadBy(instruction);
  return address != nullptr && isShared(*address) && !instruction.hasMetadata(LLVMContext::MD_invariant_load) &&
         (readsOthers(instruction) || has_fence || isUpdated(*address));
}

bool LoopJudge::waitsAt(const Instruction &instruction) const {
  return isSharedRead(instruction) && !movesOn(*addressReadBy(instruction));
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

// Whether a count ends the loop, whatever it reads. Counts that are known to reach kForEver do not.
bool LoopJudge::isCounted() const {
  constexpr unsigned kForEver = 1 << 24;
  const SCEV *turns = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
  return !isa<SCEVCouldNotCompute>(turns) && evolution.getUnsignedRangeMin(turns).ult(kForEver);
}

// Whether the loop is known to make kFew turns at most.
bool LoopJudge::endsSoon() const {
  constexpr unsigned kFew = 64;
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most != 0 && most <= kFew;
}

std::optional<WaitingLoop> LoopJudge::judge(bool or_limited) {
  has_fence = anyInLoop(ordersGlobalMemory);
  addDecisions();
  for (size_t i = 0; i < deciding.size(); ++i)
    visit(*cast<Instruction>(deciding[i]));
  if (any_of(reads, isLocal) && meetsInEachTurn())
    erase_if(reads, isLocal);
  const bool is_counted = isCounted();
  if (reads.empty() || (is_counted && endsSoon() &&
                        !(or_limited && any_of(reads, [](const Instruction *read) { return readsOthers(*read); }))))
    return std::nullopt;
  const bool does_more = none_of(reads, [&](const Instruction *read) { return onlyAsks(*addressReadBy(*read)); });
  const bool asks_elsewhere = any_of(
      reads, [&](const Instruction *read) { return !isSamePlace(*addressReadBy(*read), *addressReadBy(*reads[0])); });
  const auto getsOn = [&](TurnProgress::Certainty certainty) {
    return TurnProgress(loop, aliases, certainty, asks_elsewhere).inEachTurn();
  };
  if (getsOn(TurnProgress::kProved))
    return std::nullopt;
  return WaitingLoop{&loop, std::move(reads), (is_counted && does_more) || getsOn(TurnProgress::kLikely)};
}

} // namespace

bool mayWaitAt(const Instruction &instruction) {
  return readsOthers(instruction) || ordersGlobalMemory(instruction);
}

bool mayWait(const Function &function) {
  return any_of(instructions(function), mayWaitAt);
}

SmallVector<WaitingLoop, 2> findWaitingLoops(const LoopInfo &loops, ScalarEvolution &evolution, AAResults &aliases,
                                             bool or_limited) {
  SmallVector<WaitingLoop, 2> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, mayWaitAt); }))
      if (std::optional<WaitingLoop> waiting = LoopJudge(*loop, evolution, aliases).judge(or_limited))
        found.push_back(std::move(*waiting));
  return found;
}

} // namespace lanecl::vectorizer
