// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/waiting/turn_progress.h"

#include "analysis/effects.h"
#include "analysis/lane_target.h"
#include "analysis/primitives.h"
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

} // namespace

// Arguments are loaded from a block of the launch, which nothing changes.
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

// Every way from a turn to the next one passes an edge that is taken only where something has got on.
bool TurnProgress::inEachTurn() const {
  return !mayRepeatWithout(loop, [&](const Instruction &end, unsigned successor) {
    const auto *branch = dyn_cast<BranchInst>(&end);
    return branch && branch->isConditional() && isSaidBy(*branch->getCondition(), successor == 0);
  });
}

// Whether a condition that is true, or false, says that something has got on.
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

bool TurnProgress::isSaidBy(const ICmpInst &compare, bool is) const {
  if (!compare.isEquality())
    return isBeforeItsEnd(is ? compare.getPredicate() : compare.getInversePredicate(), *compare.getOperand(0),
                          *compare.getOperand(1));
  const bool is_equal = is == (compare.getPredicate() == ICmpInst::ICMP_EQ);
  if (match(compare.getOperand(1), m_Zero()) && isSaidBy(*compare.getOperand(0), !is_equal))
    return true;
  return !is_equal && testedExchange(compare) != nullptr;
}

// The optimistic exchange of the loop that is asked for its success, or the value found for being the expected one;
// null for other conditions.
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

// It expects what was read in this turn, or what the last exchange found, in the same place: it fails only if another
// work-item has changed that meanwhile.
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
      return false; // always the same
    if (const auto *phi = dyn_cast<PHINode>(part)) {
      if (phi->getParent() == loop.getHeader() && !loop.isLoopInvariant(place))
        return false; // of another place
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

// Whether a comparison that holds says of a counter that it has still to come to the other side.
bool TurnProgress::isBeforeItsEnd(CmpInst::Predicate predicate, const Value &x, const Value &y) const {
  if (!ICmpInst::isRelational(predicate))
    return false;
  const bool is_less = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const Direction of_x = is_less ? kRises : kFalls, of_y = is_less ? kFalls : kRises;
  const bool is_unsigned = ICmpInst::isUnsigned(predicate);
  return (directionOf(x) == of_x && comesTo(y, of_x, is_unsigned)) ||
         (directionOf(y) == of_y && comesTo(x, of_y, is_unsigned));
}

// Whether a counter that rises, or falls, comes to its end. Two counters that both rise may never meet. If the loop
// asks for something else, too, the counter has to get there in less than kFar turns. That is known only of an unsigned
// counter that rises to a small constant: it begins at 0 or later. A counter that falls may begin at any number, and a
// signed one at a negative number.
bool TurnProgress::comesTo(const Value &end, Direction direction, bool is_unsigned) const {
  constexpr uint64_t kFar = 1 << 24;
  if (certainty == kLikely)
    return directionOf(end) != direction;
  const auto *known = dyn_cast<ConstantInt>(&end);
  const bool is_near = is_unsigned && direction == kRises && known != nullptr && known->getValue().ult(kFar);
  return isFixed(end) && (is_near || !asks_elsewhere);
}

// Whether the value is the same in all turns. So is what a plain read finds, unless the loop writes there or lets
// others write, by a barrier or a fence. LLVM leaves such a read in the loop because of atomic operations on other
// arguments.
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

// Whether the value rises or falls from turn to turn: that of a counter does, and what is computed from it and from
// values that the loop does not change, as `16 * i + lane`.
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
  // A quotient rises once in `amount` turns, so it may take very many to come to a small constant.
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

// What a lane hands over to its sub-group, or what all lanes that are there have together.
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

// A counter that one work-item takes for its work-group is stored in local memory.
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

// Whether the condition is true, or false, in the first lane of each sub-group.
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

// `get_sub_group_local_id() == 0 ? atomic_inc(next) : 0`. Likely, too, where other lanes take the counter, the same in
// each turn, and hand it over; a lane that neither takes it nor gets it always has the constant.
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

// The way in which an addition changes its place.
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

// Whether another access of the loop may move the counter otherwise, as one does that gives a lock back. A plain store
// to the counter's place by another name would be a data race.
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

TurnProgress::Direction TurnProgress::directionOf(const AtomicRMWInst &update) const {
  const int sign = signOf(update);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &other : *block)
      if (sign == 0 || mayChange(other, update))
        return kUnknown;
  return Direction(sign);
}

} // namespace lanecl::vectorizer
