// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/waiting_loops.h"

#include "analysis/effects.h"
#include "analysis/lane_target.h"
#include "analysis/markers.h"
#include "analysis/primitives.h"
#include "analysis/turn_controls.h"

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

// Through what changes no bit.
const Value *withoutCasts(const Value *value) {
  while (isa<BitCastInst, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

const AtomicCmpXchgInst *exchangeOf(const Value *value, unsigned part) {
  const auto *extract = dyn_cast<ExtractValueInst>(value);
  return extract != nullptr && extract->getIndices()[0] == part
             ? dyn_cast<AtomicCmpXchgInst>(extract->getAggregateOperand())
             : nullptr;
}

class LoopJudge {
public:
  LoopJudge(Loop &loop, ScalarEvolution &evolution) : loop(loop), evolution(evolution), controls(loop, isNeverTaken) {}

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
  bool isOnlyWriter(const Instruction &update) const;
  static bool counts(const AtomicRMWInst &update);
  bool counts(const AtomicCmpXchgInst &exchange) const;
  static bool lowers(const AtomicRMWInst &update);
  std::optional<CmpInst::Predicate> goesOnWhere(const ICmpInst &compare) const;
  bool leadsAway(const AtomicRMWInst &update, const ICmpInst &compare, bool is_left) const;
  bool needsOthers(const AtomicRMWInst &update) const;
  bool bringsEnd(const Instruction &update) const;
  bool isOptimistic(const AtomicCmpXchgInst &exchange) const;
  const AtomicCmpXchgInst *testedExchange(const Value &condition) const;
  bool hasFailed(Value *condition, bool is) const;
  bool hasFailed(const ICmpInst &compare, bool is_equal) const;
  bool mayRepeatWithout(function_ref<bool(const Instruction &terminator, unsigned successor)> edge) const;
  bool repeatsByFailure() const;
  bool meetsInEachTurn() const;
  bool onlyAsks(const Value &address) const;
  bool isLimited(const Instruction &access) const;

  Loop &loop;
  ScalarEvolution &evolution;
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
  } else if (testedExchange(instruction)) {
    return; // it fails only if another work-item has got on
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

// Whether an atomic operation of the loop is to this place, so that each turn reads it anew, and does not only count.
bool LoopJudge::isUpdated(const Value &place) const {
  return anyInLoop([&](const Instruction &other) {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(other) &&
           addressOf(other)->stripPointerCasts() == place.stripPointerCasts() && !bringsEnd(other);
  });
}

// Whether nothing else in the loop writes what the update counts, as the store does that gives back a lock which an
// increment takes. A plain store without a fence counts only if it surely is to the same place.
bool LoopJudge::isOnlyWriter(const Instruction &update) const {
  const Value *place = addressOf(update);
  return !anyInLoop([&](const Instruction &other) {
    if (&other == &update || !isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(other))
      return false;
    return has_fence || other.isAtomic() || other.isVolatile()
               ? getUnderlyingObject(addressOf(other)) == getUnderlyingObject(place)
               : addressOf(other)->stripPointerCasts() == place->stripPointerCasts();
  });
}

// An update that adds to what it finds.
bool LoopJudge::counts(const AtomicRMWInst &update) {
  switch (update.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap: return !match(update.getValOperand(), m_Zero());
  default: return false;
  }
}

// The same by compare-and-exchange.
bool LoopJudge::counts(const AtomicCmpXchgInst &exchange) const {
  return match(exchange.getNewValOperand(), m_c_Add(m_Specific(exchange.getCompareOperand()), m_Value())) &&
         isOptimistic(exchange);
}

// Whether the update makes smaller what it finds. An amount that is not known is taken for a positive one.
bool LoopJudge::lowers(const AtomicRMWInst &update) {
  const APInt *amount = nullptr;
  const bool is_negative = match(update.getValOperand(), m_APInt(amount)) && amount->isNegative();
  switch (update.getOperation()) {
  case AtomicRMWInst::Add: return is_negative;
  case AtomicRMWInst::Sub: return !is_negative;
  default: return update.getOperation() == AtomicRMWInst::UDecWrap;
  }
}

// Whether the loop goes on where a number is greater, or less, than another one: for a comparison by which it is left.
std::optional<CmpInst::Predicate> LoopJudge::goesOnWhere(const ICmpInst &compare) const {
  for (const User *user : compare.users())
    if (const auto *branch = dyn_cast<BranchInst>(user); branch && loop.contains(branch))
      for (unsigned i = 0; i < 2; ++i)
        if (controls.endsOutside(*branch->getSuccessor(i)))
          return i == 0 ? compare.getInversePredicate() : compare.getPredicate();
  return std::nullopt;
}

// Whether each turn of the update leads away from the end that this comparison brings, as in
// `while (atomic_inc(lock) > 0) {}`.
bool LoopJudge::leadsAway(const AtomicRMWInst &update, const ICmpInst &compare, bool is_left) const {
  const std::optional<CmpInst::Predicate> on = goesOnWhere(compare);
  if (!on || !ICmpInst::isRelational(*on))
    return false;
  const bool is_greater = is_left == (ICmpInst::isGT(*on) || ICmpInst::isGE(*on));
  return is_greater != lowers(update);
}

// Whether only another work-item can bring the end: where what the update finds is asked for one number,
// `while (atomic_inc(lock) != 0) {}`, or where it leads away from the end. `while (atomic_inc(next) < count)` comes to
// its end alone.
bool LoopJudge::needsOthers(const AtomicRMWInst &update) const {
  SmallSetVector<const Value *, 8> found;
  found.insert(&update);
  for (size_t i = 0; i < found.size(); ++i)
    for (const User *user : found[i]->users()) {
      if (isa<SwitchInst>(user))
        return true;
      if (const auto *compare = dyn_cast<ICmpInst>(user); compare && deciding.contains(compare))
        if (compare->isEquality() || leadsAway(update, *compare, compare->getOperand(0) == found[i]))
          return true;
      if (const auto *compare = dyn_cast<FCmpInst>(user); compare && deciding.contains(compare))
        if (compare->isEquality())
          return true;
      const auto *store = dyn_cast<StoreInst>(user);
      if (isa<CastInst, PHINode, SelectInst, FreezeInst, LoadInst, GetElementPtrInst>(user))
        found.insert(user);
      else if (store && isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())))
        found.insert(getUnderlyingObject(store->getPointerOperand()));
    }
  return false;
}

// A counter that only this update changes in the loop.
bool LoopJudge::bringsEnd(const Instruction &update) const {
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&update))
    return counts(*exchange) && isOnlyWriter(update);
  return counts(cast<AtomicRMWInst>(update)) && isOnlyWriter(update) && !needsOthers(cast<AtomicRMWInst>(update));
}

// It expects what was read in this turn or what the last exchange found: it fails only if another work-item has
// changed that meanwhile.
bool LoopJudge::isOptimistic(const AtomicCmpXchgInst &exchange) const {
  const Value *place = exchange.getPointerOperand()->stripPointerCasts();
  SmallSetVector<const Value *, 8> parts;
  parts.insert(exchange.getCompareOperand());
  bool is_read = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Value *part = withoutCasts(parts[i]);
    const auto *instruction = dyn_cast<Instruction>(part);
    if (isa<UndefValue>(part))
      continue;
    if (instruction == nullptr || !loop.contains(instruction))
      return false; // always the same
    if (const auto *phi = dyn_cast<PHINode>(part)) {
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
        if (loop.contains(phi->getIncomingBlock(k)))
          parts.insert(phi->getIncomingValue(k));
    } else if (isa<SelectInst>(part)) {
      parts.insert(instruction->getOperand(1));
      parts.insert(instruction->getOperand(2));
    } else if (isa<InsertElementInst>(part)) {
      parts.insert(instruction->getOperand(0));
      parts.insert(instruction->getOperand(1));
    } else if (isa<ExtractElementInst>(part)) {
      parts.insert(instruction->getOperand(0));
    } else if (exchangeOf(part, 0) == &exchange ||
               (isa<LoadInst, AtomicRMWInst>(part) && addressOf(*instruction)->stripPointerCasts() == place)) {
      is_read = true;
    } else {
      return false;
    }
  }
  return is_read;
}

// The optimistic exchange of the loop that is asked for its success, or the value found for being the expected one;
// null for other conditions.
const AtomicCmpXchgInst *LoopJudge::testedExchange(const Value &condition) const {
  const auto optimistic = [&](const AtomicCmpXchgInst *exchange) {
    return exchange != nullptr && loop.contains(exchange) && isOptimistic(*exchange) ? exchange : nullptr;
  };
  if (const AtomicCmpXchgInst *exchange = exchangeOf(&condition, 1))
    return optimistic(exchange);
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr || !compare->isEquality())
    return nullptr;
  for (unsigned i = 0; i < 2; ++i)
    if (const AtomicCmpXchgInst *exchange = exchangeOf(withoutCasts(compare->getOperand(i)), 0))
      if (withoutCasts(compare->getOperand(1 - i)) == withoutCasts(exchange->getCompareOperand()))
        return optimistic(exchange);
  return nullptr;
}

// Whether a condition that is true, or false, says that an optimistic exchange has failed.
bool LoopJudge::hasFailed(Value *condition, bool is) const {
  Value *x = nullptr, *y = nullptr;
  if (match(condition, m_Not(m_Value(x))))
    return hasFailed(x, !is);
  if (match(condition, m_ZExtOrSExt(m_Value(x))) || match(condition, m_Trunc(m_Value(x))) ||
      match(condition, m_Freeze(m_Value(x))))
    return hasFailed(x, is);
  if (is ? match(condition, m_LogicalAnd(m_Value(x), m_Value(y)))
         : match(condition, m_LogicalOr(m_Value(x), m_Value(y))))
    return hasFailed(x, is) || hasFailed(y, is);
  if (const auto *compare = dyn_cast<ICmpInst>(condition); compare && compare->isEquality())
    return hasFailed(*compare, is == (compare->getPredicate() == ICmpInst::ICMP_EQ));
  return !is && testedExchange(*condition) != nullptr;
}

// The same for a comparison whose sides are equal, or not.
bool LoopJudge::hasFailed(const ICmpInst &compare, bool is_equal) const {
  if (match(compare.getOperand(1), m_Zero()) && hasFailed(compare.getOperand(0), !is_equal))
    return true;
  return !is_equal && testedExchange(compare) != nullptr;
}

// Whether a way leads from a turn to the next one that passes none of these edges.
bool LoopJudge::mayRepeatWithout(function_ref<bool(const Instruction &terminator, unsigned successor)> edge) const {
  SmallSetVector<const BasicBlock *, 16> reached;
  reached.insert(loop.getHeader());
  for (size_t i = 0; i < reached.size(); ++i) {
    const Instruction &end = *reached[i]->getTerminator();
    for (unsigned k = 0; k < end.getNumSuccessors(); ++k) {
      if (isNeverTaken(end, k) || edge(end, k))
        continue;
      if (end.getSuccessor(k) == loop.getHeader())
        return true;
      if (loop.contains(end.getSuccessor(k)))
        reached.insert(end.getSuccessor(k));
    }
  }
  return false;
}

// Each turn but the first follows a failure of an optimistic exchange.
bool LoopJudge::repeatsByFailure() const {
  return !mayRepeatWithout([&](const Instruction &end, unsigned successor) {
    const auto *branch = dyn_cast<BranchInst>(&end);
    return branch && branch->isConditional() && hasFailed(branch->getCondition(), successor == 0);
  });
}

// In each turn all sub-groups of the work-group get on to a barrier.
bool LoopJudge::meetsInEachTurn() const {
  return !mayRepeatWithout([&](const Instruction &end, unsigned) {
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
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(access) && bringsEnd(access))
    return false;
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
  if (reads.empty() || repeatsByFailure())
    return nullptr;
  const auto found = find_if(
      reads, [&](const Instruction *access) { return (or_limited && readsOthers(*access)) || !isLimited(*access); });
  return found != reads.end() ? *found : nullptr;
}

} // namespace

bool isNeverTaken(const Instruction &terminator, unsigned successor) {
  const auto *branch = dyn_cast<BranchInst>(&terminator);
  return successor == 1 && branch && branch->isConditional() && markerOf(*branch->getCondition()) == Marker::Leave;
}

bool mayWaitAt(const Instruction &instruction) {
  return readsOthers(instruction) || isa<FenceInst>(instruction);
}

bool mayWait(const Function &function) {
  return any_of(instructions(function), mayWaitAt);
}

SmallVector<WaitingLoop, 2> findWaitingLoops(const LoopInfo &loops, ScalarEvolution &evolution, bool or_limited) {
  SmallVector<WaitingLoop, 2> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (any_of(loop->blocks(), [](const BasicBlock *block) { return any_of(*block, mayWaitAt); }))
      if (const Instruction *read = LoopJudge(*loop, evolution).read(or_limited))
        found.push_back({loop, read});
  return found;
}

} // namespace lanecl::vectorizer
