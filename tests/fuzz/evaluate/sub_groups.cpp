// Sub-group functions, for the work-items that call one together.
#include "evaluate/operations.h"
#include "evaluate/work_group.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// What the calling work-items hand over, in the order of their lanes.
struct Callers {
  const Stmt &call;
  std::vector<size_t> lanes{};
  std::vector<std::vector<Value>> operands{}; // by operand, then by caller
  size_t size = 0;                            // of the sub-group, work-items that do not call included

  const std::vector<Value> &values() const { return operands[0]; }
  uint64_t operand(unsigned number, size_t caller) const { return operands[number][caller].c[0]; }

  // The caller at a lane; a value of a lane that does not call is undefined.
  size_t at(uint64_t lane) const {
    const auto found = std::find(lanes.begin(), lanes.end(), lane);
    if (found == lanes.end())
      throw Rejected("a sub-group function takes the value of a lane that does not call it");
    return size_t(found - lanes.begin());
  }
  const Value &of(uint64_t lane, unsigned operand = 0) const { return operands[operand][at(lane)]; }
};

Op combination(SubGroupFunction function) {
  switch (function) {
  case SubGroupFunction::ReduceMin:
  case SubGroupFunction::InclusiveMin: return Op::Min;
  case SubGroupFunction::ReduceMax:
  case SubGroupFunction::InclusiveMax: return Op::Max;
  default: return Op::Add;
  }
}

// Modulo 2^bits: the device's sums wrap around.
uint64_t combine(Op op, Type type, uint64_t left, uint64_t right) {
  if (op == Op::Add && isInteger(type.base))
    return truncated(type.base, left + right);
  return operate(op, type, left, right, 0).bits;
}

// Of the callers before `end`; of none it is zero, as only sums are asked for without a value.
Value folded(const Callers &callers, size_t end) {
  const Type type = callers.call.values[0]->type;
  Value result;
  for (size_t i = 0; i < end; ++i)
    result.c[0] = i == 0 ? callers.values()[0].c[0]
                         : combine(combination(callers.call.sub_group), type, result.c[0], callers.values()[i].c[0]);
  return result;
}

Value vote(const Callers &callers) {
  const auto holds = [](const Value &v) { return v.c[0] != 0; };
  Value result;
  result.c[0] = callers.call.sub_group == SubGroupFunction::All
                    ? std::all_of(callers.values().begin(), callers.values().end(), holds)
                    : std::any_of(callers.values().begin(), callers.values().end(), holds);
  return result;
}

Value shuffledDown(const Callers &callers, size_t caller) {
  const uint64_t from = callers.lanes[caller] + callers.operand(2, caller);
  return from < callers.size ? callers.of(from) : callers.of(from - callers.size, 1);
}

Value shuffledUp(const Callers &callers, size_t caller) {
  const uint64_t lane = callers.lanes[caller], delta = callers.operand(2, caller);
  return lane >= delta ? callers.of(lane - delta, 1) : callers.of(lane + callers.size - delta);
}

Value resultOf(const Callers &callers, size_t caller) {
  switch (infoOf(callers.call.sub_group).kind) {
  case SubGroupKind::Reduction: return folded(callers, callers.values().size());
  case SubGroupKind::InclusiveScan: return folded(callers, caller + 1);
  case SubGroupKind::ExclusiveScan: return folded(callers, caller);
  case SubGroupKind::Vote: return vote(callers);
  case SubGroupKind::Broadcast:
  case SubGroupKind::Shuffle: return callers.of(callers.operand(1, caller));
  case SubGroupKind::ShuffleXor: return callers.of(callers.lanes[caller] ^ callers.operand(1, caller));
  case SubGroupKind::ShuffleDown: return shuffledDown(callers, caller);
  case SubGroupKind::ShuffleUp: return shuffledUp(callers, caller);
  }
  return {};
}

} // namespace

void WorkGroup::subGroupCall(const Stmt &s, const Items &active) {
  Callers callers{.call = s, .size = subGroupSize(*active[0])};
  for (const Item *item : active)
    callers.lanes.push_back(item->linear % launch.width);
  for (const ExprPtr &e : s.values) {
    callers.operands.emplace_back();
    for (Item *item : active)
      callers.operands.back().push_back(stored(e, *item));
  }
  for (size_t i = 0; i < active.size(); ++i)
    assign(s.target, resultOf(callers, i), *active[i]);
}

} // namespace lanecl::fuzz
