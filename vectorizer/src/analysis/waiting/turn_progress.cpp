// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/waiting/turn_progress.h"

#include "analysis/functions/primitives.h"
#include "analysis/lane_target.h"
#include "analysis/memory/effects.h"
#include "analysis/waiting/turn_controls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// Strips casts that change no bit.
const Value *withoutCasts(const Value *value) {
  while (isa<BitCastInst, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

// Returns the compare-exchange of whose result `value` is the given part (0: the old value, 1: success), or null.
const AtomicCmpXchgInst *exchangeOf(const Value *value, unsigned part) {
  const auto *extract = dyn_cast<ExtractValueInst>(value);
  return extract != nullptr && extract->getIndices()[0] == part
             ? dyn_cast<AtomicCmpXchgInst>(extract->getAggregateOperand())
             : nullptr;
}

} // namespace

// Kernel arguments are invariant loads from the launch's argument block, which nothing changes, so two different loads
// there are two different arguments.
bool areDifferentArguments(const Value &a, const Value &b, AAResults &aliases) {
  const Value *of_a = getUnderlyingObject(&a), *of_b = getUnderlyingObject(&b);
  if (isa<Argument>(of_a) && isa<Argument>(of_b))
    return of_a != of_b;
  const auto *load_a = dyn_cast<LoadInst>(of_a), *load_b = dyn_cast<LoadInst>(of_b);
  const auto isOfArgument = [](const LoadInst *load) {
    return load && load->getPointerAddressSpace() == kConstant && load->hasMetadata(LLVMContext::MD_invariant_load);
  };
  return isOfArgument(load_a) && isOfArgument(load_b) &&
         aliases.isNoAlias(MemoryLocation::get(load_a), MemoryLocation::get(load_b));
}

// Every path from a turn to the next one has to pass an edge that is taken only where progress was made.
bool TurnProgress::inEachTurn() const {
  return !mayRepeatWithout(loop, [&](const Instruction &end, unsigned successor) {
    const auto *branch = dyn_cast<BranchInst>(&end);
    return branch && branch->isConditional() && isSaidBy(*branch->getCondition(), successor == 0);
  });
}

// Whether it follows from the condition being true (`is`) or false that progress was made.
bool TurnProgress::isSaidBy(Value &condition, bool is) const {
  Value *x = nullptr, *y = nullptr;
  if (match(&condition, m_Not(m_Value(x))))
    return isSaidBy(*x, !is);
  if (match(&condition, m_ZExtOrSExt(m_Value(x))) || match(&condition, m_Trunc(m_Value(x))) ||
      match(&condition, m_Freeze(m_Value(x))))
    return x->getType()->isIntegerTy(1) && isSaidBy(*x, is);
  if (is ? match(&condition, m_LogicalAnd(m_Value(x), m_Value(y)))
         : match(&condition, m_LogicalOr(m_Value(x), m_Value(y))))
    return isSaidBy(*x, is) || isSaidBy(*y, is);
  if (const auto *compare = dyn_cast<ICmpInst>(&condition))
    return isSaidBy(*compare, is);
  return !is && testedExchange(condition) != nullptr;
}

// Whether a comparison that is true (`is`), or false, says so. It may compare a counter with its end, another condition
// with 0 (`cond != 0`), or the old value of an exchange with the expected one.
bool TurnProgress::isSaidBy(const ICmpInst &compare, bool is) const {
  if (!compare.isEquality())
    return isBeforeItsEnd(is ? compare.getPredicate() : compare.getInversePredicate(), *compare.getOperand(0),
                          *compare.getOperand(1));
  const bool is_equal = is == (compare.getPredicate() == ICmpInst::ICMP_EQ);
  if (match(compare.getOperand(1), m_Zero()) && isSaidBy(*compare.getOperand(0), !is_equal))
    return true;
  return !is_equal && testedExchange(compare) != nullptr;
}

// Returns the optimistic exchange whose success the condition tests: either its success bit, or a comparison of the
// value found with the value expected. Returns null for other conditions.
const AtomicCmpXchgInst *TurnProgress::testedExchange(const Value &condition) const {
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

// Whether the exchange expects what was read at its own address in this turn, or what the last exchange found there.
// Such an exchange fails only if another work-item has changed the value meanwhile.
bool TurnProgress::isOptimistic(const AtomicCmpXchgInst &exchange) const {
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
      return false; // the same in all turns
    if (const auto *phi = dyn_cast<PHINode>(part)) {
      if (phi->getParent() == loop.getHeader() && !loop.isLoopInvariant(place))
        return false; // a phi of the header has read another address
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

// Whether the comparison, if it holds, says that a counter has still to reach the other operand: `i < end` for a rising
// i.
bool TurnProgress::isBeforeItsEnd(CmpInst::Predicate predicate, const Value &x, const Value &y) const {
  if (!ICmpInst::isRelational(predicate))
    return false;
  const bool is_less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const Direction of_x = is_less ? kRises : kFalls, of_y = is_less ? kFalls : kRises;
  const bool is_unsigned = ICmpInst::isUnsigned(predicate);
  return (directionOf(x) == of_x && comesTo(y, of_x, is_unsigned)) ||
         (directionOf(y) == of_y && comesTo(x, of_y, is_unsigned));
}

// Whether a counter that rises or falls reaches its end. Two counters that both rise may never meet. If something else
// decides about the end of the loop as well, the counter has to get there in fewer than kFar turns. That is known only
// for an unsigned counter that rises to a small constant, because it starts at 0 or above. A counter that falls may
// start at any number, and a signed one at a negative number.
bool TurnProgress::comesTo(const Value &end, Direction direction, bool is_unsigned) const {
  constexpr uint64_t kFar = 1 << 24;
  if (certainty == kLikely)
    return directionOf(end) != direction;
  const auto *known = dyn_cast<ConstantInt>(&end);
  const bool is_near = is_unsigned && direction == kRises && known != nullptr && known->getValue().ult(kFar);
  return isFixed(end) && (is_near || !asks_elsewhere);
}

// Whether the value is the same in all turns. A plain load counts, too, if the loop neither writes its address nor lets
// others write it by a barrier or a fence. LLVM leaves such a load in the loop because of atomic operations on memory
// of other arguments.
bool TurnProgress::isFixed(const Value &value) const {
  const auto *load = dyn_cast<LoadInst>(&value);
  if (load == nullptr || !load->isSimple() || !loop.isLoopInvariant(load->getPointerOperand()))
    return loop.isLoopInvariant(&value);
  return none_of(loop.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &write) {
      const Value *written = addressWrittenBy(write);
      return isModSet(aliases.getModRefInfo(&write, MemoryLocation::get(load))) &&
             !(written != nullptr && areDifferentArguments(*written, *load->getPointerOperand(), aliases));
    });
  });
}

// Returns whether the value rises or falls from turn to turn. That holds for a counter, and for a value that is
// computed from one and from values that the loop does not change, such as `16 * i + lane`.
TurnProgress::Direction TurnProgress::directionOf(const Value &value) const {
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || !loop.contains(instruction))
    return kUnknown;
  Value *x = nullptr, *y = nullptr;
  const APInt *amount = nullptr;
  if (const auto *update = dyn_cast<AtomicRMWInst>(instruction))
    return directionOf(*update);
  if (const auto *phi = dyn_cast<PHINode>(instruction))
    return directionOf(*phi);
  if (match(instruction, m_ZExtOrSExt(m_Value(x))) || match(instruction, m_Freeze(m_Value(x))))
    return directionOf(*x);
  if (match(instruction, m_AddLike(m_Value(x), m_Value(y))))
    return loop.isLoopInvariant(y) ? directionOf(*x) : loop.isLoopInvariant(x) ? directionOf(*y) : kUnknown;
  if (match(instruction, m_Sub(m_Value(x), m_Value(y))))
    return loop.isLoopInvariant(y) ? directionOf(*x) : kUnknown;
  if (match(instruction, m_Mul(m_Value(x), m_APInt(amount))))
    return amount->isStrictlyPositive() ? directionOf(*x) : kUnknown;
  if (match(instruction, m_Shl(m_Value(x), m_APInt(amount))))
    return directionOf(*x);
  // A quotient rises only once in `amount` turns, so it may need very many turns to reach a small constant.
  if ((match(instruction, m_UDiv(m_Value(x), m_APInt(amount))) ||
       match(instruction, m_LShr(m_Value(x), m_APInt(amount)))) &&
      (certainty == kLikely || !asks_elsewhere))
    return directionOf(*x);
  if (const auto *load = dyn_cast<LoadInst>(instruction))
    return directionOf(*load);
  if (const auto *call = dyn_cast<CallBase>(instruction))
    return directionOf(*call);
  return kUnknown;
}

// A counter keeps its direction if one lane broadcasts it, or if the active lanes reduce it to a sum or a maximum.
TurnProgress::Direction TurnProgress::directionOf(const CallBase &call) const {
  const std::optional<Primitive> primitive = primitiveOf(call);
  if (!primitive)
    return kUnknown;
  switch (*primitive) {
  case Primitive::Broadcast:
  case Primitive::Shuffle:
  case Primitive::BroadcastFirst:
  case Primitive::ReduceAdd:
  case Primitive::ReduceSMax:
  case Primitive::ReduceUMax: return directionOf(*call.getArgOperand(0));
  default: return kUnknown;
  }
}

// A counter that one work-item takes for its work-group goes through local memory: the load finds what a store of the
// loop has put there.
TurnProgress::Direction TurnProgress::directionOf(const LoadInst &load) const {
  if (certainty != kLikely || !load.isSimple())
    return kUnknown;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &other : *block)
      if (const auto *store = dyn_cast<StoreInst>(&other);
          store && store->getPointerOperand()->stripPointerCasts() == load.getPointerOperand()->stripPointerCasts())
        if (const auto *taken = dyn_cast<AtomicRMWInst>(store->getValueOperand()))
          return directionOf(*taken);
  return kUnknown;
}

// Whether the condition is true (`is`), or false, in exactly the first lane of each sub-group.
static bool isOfFirstLane(const Value &condition, bool is) {
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  return compare != nullptr && compare->isEquality() && is == (compare->getPredicate() == ICmpInst::ICMP_EQ) &&
         match(compare->getOperand(1), m_Zero()) && isPrimitive(*compare->getOperand(0), Primitive::LaneId);
}

// Whether the value is used only where the first lane hands its own value to all lanes.
static bool isOfFirstLaneForAll(const PHINode &value) {
  return all_of(value.users(), [](const User *user) {
    return (isPrimitive(*user, Primitive::Broadcast) || isPrimitive(*user, Primitive::Shuffle)) &&
           match(user->getOperand(1), m_Zero());
  });
}

// A phi such as `get_sub_group_local_id() == 0 ? atomic_inc(next) : 0` is proved to have the counter's direction if
// lane 0 then broadcasts it. It is likely to have it, too, if other lanes take the counter, the same lanes in each
// turn, and hand it over. A lane that neither takes the counter nor is handed it keeps the constant.
TurnProgress::Direction TurnProgress::directionOf(const PHINode &phi) const {
  if (phi.getParent() == loop.getHeader() || phi.getNumIncomingValues() != 2)
    return kUnknown;
  for (unsigned i = 0; i < 2; ++i) {
    const BasicBlock *side = phi.getIncomingBlock(i), *other = phi.getIncomingBlock(1 - i);
    const auto *branch = dyn_cast<BranchInst>(other->getTerminator());
    if (isa<Constant>(phi.getIncomingValue(1 - i)) && side->getSinglePredecessor() == other && branch &&
        branch->isConditional() && loop.isLoopInvariant(branch->getCondition()) &&
        (certainty == kLikely ||
         (isOfFirstLane(*branch->getCondition(), branch->getSuccessor(0) == side) && isOfFirstLaneForAll(phi))))
      return directionOf(*phi.getIncomingValue(i));
  }
  return kUnknown;
}

// Returns 1 if the operation increases the value in memory, -1 if it decreases it, and 0 if neither is known.
int TurnProgress::signOf(const AtomicRMWInst &update) const {
  const bool adds = update.getOperation() == AtomicRMWInst::Add;
  if (!adds && update.getOperation() != AtomicRMWInst::Sub)
    return 0;
  const DataLayout &layout = update.getDataLayout();
  const KnownBits amount = computeKnownBits(update.getValOperand(), layout);
  if (amount.isNegative())
    return adds ? -1 : 1;
  if (amount.isNonNegative() && isKnownNonZero(update.getValOperand(), SimplifyQuery(layout)))
    return adds ? 1 : -1;
  return certainty == kLikely && !isa<Constant>(update.getValOperand()) ? (adds ? 1 : -1) : 0;
}

// Whether another access of the loop may move the counter the other way, as the release of a semaphore does. A plain
// store to the counter through another pointer would be a data race, so it need not be considered.
bool TurnProgress::mayChange(const Instruction &other, const AtomicRMWInst &update) const {
  if (!isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(other))
    return false;
  if (const auto *store = dyn_cast<StoreInst>(&other); store && store->isSimple())
    return store->getPointerOperand()->stripPointerCasts() == update.getPointerOperand()->stripPointerCasts();
  if (const auto *addition = dyn_cast<AtomicRMWInst>(&other); addition && signOf(*addition) == signOf(update))
    return false;
  if (certainty == kLikely && areDifferentArguments(*addressOf(other), *update.getPointerOperand(), aliases))
    return false;
  const auto placeOf = [&](const Instruction &access) {
    return loop.isLoopInvariant(addressOf(access))
               ? MemoryLocation::get(&access)
               : MemoryLocation::getBeforeOrAfter(addressOf(access), access.getAAMetadata());
  };
  return !aliases.isNoAlias(placeOf(other), placeOf(update));
}

// A counter has a direction if no access of the loop may move it the other way.
TurnProgress::Direction TurnProgress::directionOf(const AtomicRMWInst &update) const {
  const int sign = signOf(update);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &other : *block)
      if (sign == 0 || mayChange(other, update))
        return kUnknown;
  return Direction(sign);
}

} // namespace lanecl::vectorizer
