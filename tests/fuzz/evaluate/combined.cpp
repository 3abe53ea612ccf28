// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reductions and scans. Floating-point sums and products follow the order of docs/sub-groups.md. The result for
// integers does not depend on the order.
#include "evaluate/callers.h"
#include "evaluate/operations.h"

#include <cmath>
#include <limits>

namespace lanecl::fuzz {

namespace {

using Lanes = std::vector<uint64_t>;

uint64_t infinity(Base base, double sign) {
  return fromNumber(base, sign * std::numeric_limits<double>::infinity());
}

// The operation of a reduction or a scan on two values of one type, and the values that leave its result unchanged.
struct Combiner {
  Combination combination;
  Base base;

  bool floating() const { return !isInteger(base); }

  // What a lane that does not call contributes: the neutral element of the operation.
  uint64_t neutral() const {
    switch (combination) {
    case Combination::Add: return floating() ? fromNumber(base, -0.0) : 0;
    case Combination::Mul: return floating() ? fromNumber(base, 1) : 1;
    case Combination::Min: return floating() ? infinity(base, 1) : truncated(base, uint64_t(highest(base)));
    case Combination::Max: return floating() ? infinity(base, -1) : truncated(base, uint64_t(lowest(base)));
    case Combination::And: return truncated(base, ~uint64_t(0));
    case Combination::LogicalAnd: return 1;
    default: return 0;
    }
  }

  // The value that an exclusive scan starts with.
  uint64_t start() const { return floating() && combination == Combination::Add ? 0 : neutral(); }

  // Each result is rounded to the type. In double, a sum or product of narrower numbers is exact or far from a tie, so
  // that rounding it once more gives the correct result.
  uint64_t numbers(uint64_t left, uint64_t right) const {
    const double l = toNumber(base, left), r = toNumber(base, right);
    switch (combination) {
    case Combination::Add: return fromNumber(base, l + r);
    case Combination::Mul: return fromNumber(base, l * r);
    case Combination::Min: return r < l ? right : left;
    default: return l < r ? right : left;
    }
  }

  uint64_t operator()(uint64_t left, uint64_t right) const {
    if (floating())
      return numbers(left, right);
    switch (combination) {
    case Combination::Add: return truncated(base, left + right);
    case Combination::Mul: return truncated(base, left * right);
    case Combination::Min: return wide(base, right) < wide(base, left) ? right : left;
    case Combination::Max: return wide(base, left) < wide(base, right) ? right : left;
    case Combination::And:
    case Combination::LogicalAnd: return left & right;
    case Combination::Or:
    case Combination::LogicalOr: return left | right;
    default: return left ^ right;
    }
  }
};

// Reduces as a halving tree: lane i is combined with lane i + n/2, then with i + n/4, and so on.
Lanes reduction(const Combiner &combine, Lanes v) {
  for (size_t half = v.size() / 2; half >= 1; half /= 2)
    for (size_t lane = 0; lane < half; ++lane)
      v[lane] = combine(v[lane], v[lane + half]);
  return Lanes(v.size(), v[0]);
}

// Reduces each cluster as a butterfly: each lane is combined with the lane at distance 1, 2, 4 and so on.
Lanes clusters(const Combiner &combine, Lanes v, size_t size) {
  for (size_t distance = 1; distance < size; distance *= 2) {
    const Lanes before = v;
    for (size_t lane = 0; lane < v.size(); ++lane)
      v[lane] = combine(before[lane], before[lane ^ distance]);
  }
  return v;
}

// Scans four lanes at a time as Hillis and Steele do, and then combines these fours as Sklansky does.
Lanes scan(const Combiner &combine, Lanes v) {
  for (size_t distance = 1; distance < v.size(); distance *= 2) {
    const Lanes before = v;
    for (size_t lane = distance; lane < v.size(); ++lane)
      if (distance < 4 && lane % 4 >= distance)
        v[lane] = combine(before[lane - distance], before[lane]);
      else if (distance >= 4 && (lane & distance) != 0)
        v[lane] = combine(before[lane - lane % distance - 1], before[lane]);
  }
  return v;
}

// Scans after moving each value up by one lane. Lane 0 starts with the operation's initial value.
Lanes exclusiveScan(const Combiner &combine, Lanes v) {
  v.insert(v.begin(), combine.start());
  v.pop_back();
  return scan(combine, std::move(v));
}

// Returns the result of every lane, including those that do not call.
Lanes combinedLanes(const Callers &callers, const Combiner &combine, Lanes v) {
  switch (callers.info().kind) {
  case SubGroupKind::InclusiveScan:
  case SubGroupKind::WorkGroupInclusiveScan: return scan(combine, std::move(v));
  case SubGroupKind::ExclusiveScan:
  case SubGroupKind::WorkGroupExclusiveScan: return exclusiveScan(combine, std::move(v));
  case SubGroupKind::ClusteredReduction: return clusters(combine, std::move(v), size_t(callers.call.number));
  default: return reduction(combine, std::move(v));
  }
}

// Returns the number of lanes for a reduction, which is a power of two. The order within a work-group is left open, so
// sums of a work-group must be exact.
size_t laneCount(const Callers &callers) {
  size_t count = callers.width;
  while (count & (count - 1))
    count += count & -count;
  return count;
}

} // namespace

Results combined(const Callers &callers) {
  const Combiner combine{callers.info().combination, callers.call.type.base};
  const bool logical = combine.combination >= Combination::LogicalAnd;
  if (callers.info().kind == SubGroupKind::ClusteredReduction && callers.call.number > callers.width)
    throw Rejected("clusters larger than the sub-group");
  Lanes v(laneCount(callers), combine.neutral());
  for (size_t i = 0; i < callers.count(); ++i)
    v[callers.lanes[i]] = logical ? callers.operand(0, i) != 0 : callers.operand(0, i);
  v = combinedLanes(callers, combine, std::move(v));
  Results results(callers.count());
  for (size_t i = 0; i < callers.count(); ++i)
    results[i].c[0] = v[callers.lanes[i]];
  return results;
}

} // namespace lanecl::fuzz
