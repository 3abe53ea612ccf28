// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-group and work-group functions, for the work-items that call one together.
#include "evaluate/operations.h"
#include "evaluate/work_group.h"

namespace lanecl::fuzz {

// Evaluates the operands of the call for each work-item. The callers of a work-group function are numbered by their
// local linear ids instead of lanes.
Callers WorkGroup::callersOf(const Stmt &s, const Items &active) {
  Callers callers{.call = s, .width = launch.width, .size = subGroupSize(*active[0])};
  const bool of_work_group = isOfWorkGroup(callers.info().kind);
  if (of_work_group)
    callers.width = unsigned(callers.size = items.size());
  for (const Item *item : active)
    callers.lanes.push_back(of_work_group ? item->linear : item->linear % launch.width);
  for (const ExprPtr &e : s.values) {
    callers.operands.emplace_back();
    for (Item *item : active)
      callers.operands.back().push_back(knownValue(e, *item));
  }
  return callers;
}

// Replaces the coordinates of a work-item by its local linear id.
void WorkGroup::findPlace(Callers &callers) const {
  size_t place = 0;
  for (unsigned dim = unsigned(callers.operands.size()) - 1; dim-- > 0;) {
    const uint64_t coordinate = callers.same(1 + dim);
    if (coordinate >= size[dim])
      throw Rejected("the value of a work-item that does not exist");
    place = place * size[dim] + coordinate;
  }
  Value linear;
  linear.c[0] = place;
  callers.operands.resize(2);
  callers.operands[1].assign(callers.count(), linear);
}

// Evaluates functions that the whole sub-group must call, including those that have no effect.
Results WorkGroup::inWholeSubGroup(Callers &callers, const Items &active) {
  if (callers.count() != callers.size)
    throw Rejected("a part of a sub-group calls what all of it must call");
  switch (callers.info().kind) {
  case SubGroupKind::ImageBlockWrite:
  case SubGroupKind::ImageBlockChange: return imageBlock(callers, *active[0]);
  case SubGroupKind::Block2dRead:
  case SubGroupKind::Block2dTransform:
  case SubGroupKind::Block2dTranspose: return block2dRead(callers, *active[0]);
  case SubGroupKind::Block2dPrefetch: return block2dPrefetch(callers, *active[0]);
  case SubGroupKind::Block2dWrite: return block2dWrite(callers, *active[0]);
  case SubGroupKind::Barrier: return {};
  case SubGroupKind::Matrix: return multiplied(callers);
  case SubGroupKind::BlockPrefetch: callers.same(0); return {};
  case SubGroupKind::BlockLoad: return blockLoad(callers, active);
  default: break;
  }
  Results got = throughMemory(callers);
  keepStored(callers, *active[0]);
  return got;
}

// The index names an element of the memory object. The bytes from there on are read as elements of another type.
Results WorkGroup::blockLoad(const Callers &callers, const Items &active) {
  const MemoryObject &object = kernel.memories[callers.call.memory];
  const unsigned bits = bitsOf(callers.call.type.base), in_memory = bitsOf(object.type.base);
  const uint64_t first = callers.same(0) * in_memory;
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i)
    for (unsigned k = 0; k < callers.call.type.lanes; ++k)
      for (unsigned bit = 0; bit < bits; bit += std::min(bits, in_memory)) {
        const uint64_t at = first + (k * callers.width + callers.lanes[i]) * bits + bit;
        const uint64_t word =
            cells(callers.call.memory).load(int64_t(at / in_memory), active[i]->global_linear) >> at % in_memory;
        results[i].c[k] |= truncated(callers.call.type.base, word) << bit;
      }
  return results;
}

// Numbers the sub-groups of the NDRange, including unused ones, so that every work-group has the same number of them.
size_t WorkGroup::subGroupNumber(const Item &first) const {
  const NDRange &range = launch.range;
  const size_t group = (number[2] * range.groups(1) + number[1]) * range.groups(0) + number[0];
  const size_t sub_groups = (range.groupItems() + launch.width - 1) / launch.width;
  return group * sub_groups + first.linear / launch.width;
}

// Returns the first element that is the sub-group's own.
size_t WorkGroup::scratchOf(unsigned memory, const Item &first) const {
  return subGroupNumber(first) * launch.width * kernel.memories[memory].count;
}

// Writes what the lanes stored to scratch memory. That memory is compared at the end, so nothing else in it may have
// changed.
void WorkGroup::keepStored(const Callers &callers, const Item &first) {
  const MemoryObject &object = kernel.memories[callers.call.memory];
  if (object.isInLocalMemory())
    return;
  const unsigned in_memory = bitsOf(object.type.base);
  for (const Callers::Stored &s : callers.stored)
    for (unsigned bit = 0; bit < s.bits; bit += std::min(s.bits, in_memory)) {
      const size_t at = scratchOf(callers.call.memory, first) * in_memory + s.at + bit;
      const uint64_t mask =
          s.bits < in_memory ? (uint64_t(1) << s.bits) - 1 : truncated(object.type.base, ~uint64_t(0));
      const unsigned shift = unsigned(at % in_memory);
      cells(callers.call.memory).set(int64_t(at / in_memory), mask << shift, (s.value >> bit & mask) << shift);
    }
}

// Returns the function's result for each of the active work-items.
Results WorkGroup::results(Callers &callers, const Items &active) {
  const SubGroupKind kind = callers.info().kind;
  if (kind == SubGroupKind::WorkGroupBroadcast)
    findPlace(callers);
  if (kind == SubGroupKind::ImageBlockRead)
    return imageBlock(callers, *active[0]);
  if (needsWholeSubGroup(kind))
    return inWholeSubGroup(callers, active);
  if (kind == SubGroupKind::SplitMatrix)
    return multipliedBySplit(callers, launch.width);
  if (isExchange(kind) || kind == SubGroupKind::BroadcastFirst || kind == SubGroupKind::WorkGroupBroadcast)
    return exchanged(callers);
  if (callers.info().combination == Combination::None || kind == SubGroupKind::Vote ||
      kind == SubGroupKind::WorkGroupVote)
    return voted(callers);
  return combined(callers);
}

namespace {

// Converts a value to what the target holds: the bits of a floating-point value become an unsigned integer, other
// values are converted by value.
Value kept(Type to, Type from, const Value &v) {
  if (!isInteger(from.base) || to.lanes > 1)
    return v;
  Value result;
  result.c[0] = convert(to.base, from.base, v.c[0], false);
  return result;
}

} // namespace

// Runs the call and assigns each work-item its result. If a result is undefined without a guard, the call is noted to
// need one.
void WorkGroup::subGroupCall(const Stmt &s, const Items &active) {
  Callers callers = callersOf(s, active);
  const Results got = results(callers, active);
  if (callers.undefined && !s.guarded)
    launch.unguarded.calls.insert(s.values[0].get());
  if (givesNothing(callers.info().kind))
    return;
  const Type to = variableAt(s.target.variable).type, from = resultType(s.sub_group, s.type);
  for (size_t i = 0; i < active.size(); ++i)
    assign(s.target, kept(to, from, got[i]), *active[i]);
}

} // namespace lanecl::fuzz
