// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Votes, ballots and lane masks.
#include "evaluate/callers.h"

#include <bit>

namespace lanecl::fuzz {

namespace {

uint64_t lowBits(size_t count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

Value ballotOf(uint64_t bits) {
  Value v;
  v.c[0] = bits & 0xffffffff;
  v.c[1] = bits >> 32;
  return v;
}

Value number(uint64_t value) {
  Value v;
  v.c[0] = value;
  return v;
}

// Returns the ballot that a caller passes. Only the bits of lanes that a sub-group of this size may have count.
uint64_t bitsOf(const Callers &callers, size_t caller) {
  const Value &v = callers.operands[0][caller];
  return (v.c[0] | v.c[1] << 32) & lowBits(callers.width);
}

Value vote(const Callers &callers) {
  const auto holds = [](const Value &v) { return v.c[0] != 0; };
  const std::vector<Value> &values = callers.operands[0];
  return number(callers.info().combination == Combination::And ? std::all_of(values.begin(), values.end(), holds)
                                                               : std::any_of(values.begin(), values.end(), holds));
}

Value ballot(const Callers &callers) {
  uint64_t bits = 0;
  for (size_t i = 0; i < callers.count(); ++i)
    bits |= uint64_t(callers.operand(0, i) != 0) << callers.lanes[i];
  return ballotOf(bits);
}

bool allEqual(const Callers &callers) {
  for (size_t i = 1; i < callers.count(); ++i)
    if (callers.operand(0, i) != callers.operand(0, 0))
      return false;
  return true;
}

// Returns a lane mask. It covers the maximum sub-group size, also in a partial sub-group.
uint64_t mask(const Callers &callers, size_t lane) {
  const uint64_t all = lowBits(callers.width);
  switch (callers.call.sub_group) {
  case SubGroupFunction::MaskEq: return uint64_t(1) << lane;
  case SubGroupFunction::MaskGe: return all & ~lowBits(lane);
  case SubGroupFunction::MaskGt: return all & ~lowBits(lane + 1);
  case SubGroupFunction::MaskLe: return lowBits(lane + 1);
  default: return lowBits(lane);
  }
}

uint64_t countBits(const Callers &callers, size_t caller) {
  const uint64_t bits = bitsOf(callers, caller);
  const size_t lane = callers.lanes[caller];
  switch (callers.call.sub_group) {
  case SubGroupFunction::BallotInclusive: return uint64_t(std::popcount(bits & lowBits(lane + 1)));
  case SubGroupFunction::BallotExclusive: return uint64_t(std::popcount(bits & lowBits(lane)));
  default: return uint64_t(std::popcount(bits));
  }
}

// If no bit is set, the guarded text sets the lowest one, and so does this.
uint64_t findBit(Callers &callers, size_t caller) {
  uint64_t bits = bitsOf(callers, caller);
  callers.undefined |= bits == 0;
  bits |= uint64_t(bits == 0);
  return callers.call.sub_group == SubGroupFunction::BallotFindLsb ? uint64_t(std::countr_zero(bits))
                                                                   : uint64_t(63 - std::countl_zero(bits));
}

uint64_t extractBit(const Callers &callers, size_t caller) {
  const uint64_t lane = callers.operand(1, caller);
  if (lane >= callers.size)
    throw Rejected("the bit of a lane that does not exist");
  return bitsOf(callers, caller) >> lane & 1;
}

Value resultOf(Callers &callers, size_t caller) {
  const size_t lane = callers.lanes[caller];
  switch (callers.info().kind) {
  case SubGroupKind::AllEqual: return number(allEqual(callers));
  case SubGroupKind::Elect: return number(caller == 0);
  case SubGroupKind::Ballot: return ballot(callers);
  case SubGroupKind::InverseBallot: callers.same(0); return number(bitsOf(callers, caller) >> lane & 1);
  case SubGroupKind::BallotBit: return number(extractBit(callers, caller));
  case SubGroupKind::BallotCount: return number(countBits(callers, caller));
  case SubGroupKind::BallotFind: return number(findBit(callers, caller));
  case SubGroupKind::Mask: return ballotOf(mask(callers, lane));
  default: return vote(callers);
  }
}

} // namespace

Results voted(Callers &callers) {
  Results results;
  for (size_t i = 0; i < callers.count(); ++i)
    results.push_back(resultOf(callers, i));
  return results;
}

} // namespace lanecl::fuzz
