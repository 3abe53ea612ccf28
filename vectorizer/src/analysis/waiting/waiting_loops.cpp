// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/waiting/waiting_loops.h"

#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "analysis/memory/effects.h"
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

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

bool isLocal(const Instruction *read) {
  assert(addressReadBy(*read) != nullptr && "a read has an address");
  return addressReadBy(*read)->getType()->getPointerAddressSpace() == kLocal;
}

// Whether two addresses are the same, with a small search. Unoptimized code for a debugger loads a pointer from its
// variable and computes the address anew for each access.
bool isSamePlace(const Value &a, const Value &b) {
  const Value *x = a.stripPointerCasts(), *y = b.stripPointerCasts();
  const auto *of_x = dyn_cast<Instruction>(x), *of_y = dyn_cast<Instruction>(y);
  if (x == y || !of_x || !of_y || of_x->getOpcode() != of_y->getOpcode() || !isa<LoadInst, GetElementPtrInst>(x))
    return x == y;
  return all_of(zip(of_x->operands(), of_y->operands()),
                [](auto pair) { return isSamePlace(*std::get<0>(pair), *std::get<1>(pair)); });
}

// Judges one loop. It collects the values that decide whether another turn follows (`deciding`), and among them the
// reads of shared memory for which the loop waits (`reads`).
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
  SmallPtrSet<const BasicBlock *, 16> controlled; // blocks whose conditions are among the deciding values
  SmallSetVector<const Value *, 16> deciding;
  SmallVector<const Instruction *, 2> reads;
  bool has_fence = false;
};

// Adds the conditions that decide whether a block is reached in a turn, and transitively those that decide which of
// these conditions are evaluated.
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

// Adds the conditions that decide whether another turn follows, in the same way.
void LoopJudge::addDecisions() {
  for (const Instruction *end : controls.ofEnd()) {
    add(end->getOperand(0));
    addConditionsOf(end->getParent());
  }
}

// Adds a value to the deciding ones if the loop computes it.
void LoopJudge::add(const Value *value) {
  if (const auto *instruction = dyn_cast<Instruction>(value); instruction && loop.contains(instruction))
    deciding.insert(value);
}

void LoopJudge::addOperands(const Instruction &instruction) {
  for (const Value *operand : instruction.operands())
    add(operand);
}

// Adds the conditions that decide from which block the phi is entered, if several of them are in the loop.
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

// Adds what the loop itself writes where a value is read, and the conditions under which it writes. Programs hand a
// value over to the other work-items of a group in local memory. Unoptimized code for a debugger keeps variables in
// memory.
void LoopJudge::addWrites(const Instruction &read) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &write : *block)
      if (mayReadWhatIsWrittenBy(write, read)) {
        addOperands(write);
        addConditionsOf(block);
        // A copy reads what it writes.
        if (isa<AnyMemTransferInst>(write))
          deciding.insert(&write);
      }
}

// Adds what a deciding instruction depends on. At a read of shared memory the search ends, except for local memory:
// what the loop stores there may come from a read of global memory.
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

// Returns the location of an access: the exact one if its address is the same in all turns, else anything that the
// pointer may reach.
MemoryLocation LoopJudge::locationOf(const Instruction &access, const Value &address) const {
  const std::optional<MemoryLocation> exact = MemoryLocation::getOrNone(&access);
  return exact && loop.isLoopInvariant(&address) ? *exact
                                                 : MemoryLocation::getBeforeOrAfter(&address, access.getAAMetadata());
}

// Whether a turn may read what this or an earlier turn has written. Pointers that are swapped from turn to turn differ
// within each turn and are the same across two turns, so their underlying objects are compared.
bool LoopJudge::mayReadWhatIsWrittenBy(const Instruction &write, const Instruction &read) const {
  const Value *from = addressReadBy(read), *to = addressWrittenBy(write);
  assert(from != nullptr && "a read has an address");
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

// Whether each turn accesses another element: such a loop ends at the end of the memory at the latest.
bool LoopJudge::movesOn(const Value &address) const {
  const auto *line = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(&address)));
  return line != nullptr && line->getLoop() == &loop && evolution.isKnownNonZero(line->getStepRecurrence(evolution));
}

bool LoopJudge::anyInLoop(function_ref<bool(const Instruction &)> test) const {
  return any_of(loop.blocks(), [&](const BasicBlock *block) { return any_of(*block, test); });
}

// Whether the loop has an atomic operation on this address, so that each turn reads it anew.
bool LoopJudge::isUpdated(const Value &place) const {
  return anyInLoop([&](const Instruction &other) {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(other) && isSamePlace(*addressOf(other), place);
  });
}

// Whether all sub-groups of the work-group meet at a barrier in each turn.
bool LoopJudge::meetsInEachTurn() const {
  return !mayRepeatWithout(loop, [&](const Instruction &end, unsigned) {
    return any_of(*end.getParent(),
                  [](const Instruction &instruction) { return isPrimitive(instruction, Primitive::WorkGroupBarrier); });
  });
}

// Whether the instruction reads shared memory in a way that may see another work-item's write: an atomic or volatile
// read, a read in a loop with a fence, or a read of an address that the loop updates atomically.
bool LoopJudge::isSharedRead(const Instruction &instruction) const {
  const Value *address = addressReadBy(instruction);
  return address != nullptr && isShared(*address) && !instruction.hasMetadata(LLVMContext::MD_invariant_load) &&
         (readsOthers(instruction) || has_fence || isUpdated(*address));
}

bool LoopJudge::waitsAt(const Instruction &instruction) const {
  return isSharedRead(instruction) && !movesOn(*addressReadBy(instruction));
}

// Whether the loop accesses no memory but this address.
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

// Whether a count ends the loop, whatever it reads. A count that is known to reach kForEver does not count.
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
  assert(all_of(reads, [&](const Instruction *read) { return loop.contains(read); }) &&
         "the loop reads what it waits for");
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
