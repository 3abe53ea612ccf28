// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate/sub_group_operands.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Returns numbers of either sign from 0.5 to 2, so that products stay finite.
ExprPtr rawNumber(Maker &m, Type type, Level level) {
  const unsigned bits = bitsOf(type.base);
  const Type u{unsignedOfBits(bits), type.lanes};
  const int64_t kept = bits == 16 ? 0x87ff : bits == 32 ? 0x80ffffff : int64_t(0x801fffffffffffff);
  const int64_t exponent = bits == 16 ? 0x3800 : bits == 32 ? 0x3f000000 : 0x3fe0000000000000;
  ExprPtr e = m.expr(u, level, 1);
  if (m.chance(60)) // into the high bits
    e = m.operation(Op::Mul, u, {e, m.constant(u, int64_t(0x9E3779B97F4A7C15 >> (64 - bits)) | 1)});
  e = m.operation(Op::And, u, {e, m.constant(u, kept)});
  e = m.operation(Op::Or, u, {e, m.constant(u, exponent)});
  return make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {e}});
}

// Returns numbers of either sign whose sums are exact in any order, for any number of work-items. They are any
// integers, halves from 2 to 6, multiples of 256 around a million in float, and integers around a million in double.
ExprPtr exactNumber(Maker &m, Type type) {
  const Type u{unsignedOfBits(bitsOf(type.base)), 1};
  const bool half = type.base == Base::Half, single = type.base == Base::Float;
  const int64_t varying = half     ? 0x8600
                          : single ? 0x807ff800
                                   : int64_t(0x800fffff00000000),
                added = half     ? 0x4000
                        : single ? 0x49800000
                                 : 0x4130000000000000;
  ExprPtr e = m.operation(Op::Mul, u, {m.expr(u, Level::Lane, 1), m.constant(u, int64_t(0x9E3779B97F4A7C15))});
  e = m.operation(Op::And, u, {e, m.constant(u, varying)});
  e = m.operation(Op::Add, u, {e, m.constant(u, added)});
  return make({.kind = Expr::Kind::Reinterpret, .type = type, .args = {e}});
}

// Returns the value that each lane passes. Floating-point numbers are such that the result is finite or, for the sums
// of a work-group, exact.
ExprPtr anyValue(Maker &m, const Stmt &s, Level level) {
  const SubGroupInfo &info = infoOf(s.sub_group);
  const Type type = s.type;
  if (isInteger(type.base))
    return m.expr(type, level, type.lanes > 4 ? 1 : 2);
  return isOfWorkGroup(info.kind) && info.combination == Combination::Add ? exactNumber(m, type)
                                                                          : rawNumber(m, type, level);
}

// Returns the number of a lane that exists.
ExprPtr existingLane(Maker &m, ExprPtr e) {
  return m.operation(Op::Rem, kUInt, {std::move(e), m.ask(Query::SubGroupSize, kUInt)});
}

// Returns the number of another lane, which sometimes does not exist or does not call.
ExprPtr lane(Maker &m, Level level) {
  if (m.chance(15))
    return m.constant(kUInt, m.below(m.width));
  ExprPtr e = m.expr(kUInt, level, 2);
  if (level == Level::Lane && m.chance(30)) // a lane nearby
    e = m.operation(Op::Add, kUInt,
                    {m.ask(Query::LaneId, kUInt), m.operation(Op::And, kUInt, {e, m.constant(kUInt, 3)})});
  return existingLane(m, e);
}

// Returns a distance at which some work-items find a lane. It varies or is known to the compiler.
ExprPtr distance(Maker &m) {
  if (m.chance(60))
    return m.constant(kUInt, m.chance(85) ? m.below(m.width) : m.below(2 * m.width + 1));
  return m.operation(Op::And, kUInt,
                     {m.expr(kUInt, Level::Lane, 1), m.constant(kUInt, m.chance(50) ? 3 : m.width - 1)});
}

// Returns by how many lanes to rotate, which is the same for the whole sub-group.
ExprPtr rotation(Maker &m) {
  if (m.chance(60))
    return m.constant(kInt, int64_t(m.below(2 * m.width)) - m.width);
  return m.expr(kInt, Level::SubGroup, 1);
}

// Returns a cluster size that is possible whatever the size of sub-groups is.
unsigned clusterSize(Maker &m) {
  const unsigned most = m.kernel.required_width ? m.kernel.required_width : 8;
  unsigned size = 1;
  while (size < most && m.chance(75))
    size *= 2;
  return size;
}

// Adds the local id of the work-item whose value a work-group broadcast gives, one operand for each dimension.
void addCoordinates(Maker &m, Stmt &s) {
  size_t dimensions = 0;
  for (const NDRange &range : m.kernel.launches)
    dimensions = std::max(dimensions, range.global.size());
  for (unsigned dim = 0; dim < dimensions; ++dim)
    s.values.push_back(
        m.operation(Op::Rem, kSize, {m.expr(kSize, Level::Group, 1), m.ask(Query::LocalSize, kSize, dim)}));
}

// Adds the first operand, or the function's number if it takes no operands.
void addValue(Maker &m, Stmt &s) {
  switch (infoOf(s.sub_group).kind) {
  case SubGroupKind::Elect:
  case SubGroupKind::Mask: return;
  case SubGroupKind::Vote:
  case SubGroupKind::Ballot:
  case SubGroupKind::WorkGroupVote: s.values = {m.condition(Level::Lane, 2)}; return;
  case SubGroupKind::InverseBallot: s.values = {m.expr(s.type, Level::SubGroup, 2)}; return;
  case SubGroupKind::Barrier: s.number = m.below(8 * BarrierNumber::kScopes); return;
  case SubGroupKind::BlockLoad:
  case SubGroupKind::BlockPrefetch:
    s.values = {m.operation(Op::And, kUInt, {m.expr(kUInt, Level::SubGroup, 2), m.constant(kUInt, 0x1fe)})};
    s.number = m.chance(20) + m.below(2) * BlockNumber::kPlain;
    return;
  default: s.values = {anyValue(m, s, m.chance(6) ? Level::SubGroup : Level::Lane)};
  }
}

} // namespace

// Returns whether every work-group of every launch has a multiple of that many work-items.
bool haveWorkGroupsOf(const Kernel &kernel, size_t items) {
  return std::all_of(kernel.launches.begin(), kernel.launches.end(), [&](const NDRange &range) {
    bool uniform = range.groupItems() % items == 0;
    for (unsigned dim = 0; dim < range.global.size(); ++dim)
      uniform &= range.global[dim] % range.local[dim] == 0;
    return uniform;
  });
}

// Adds all operands that the function takes.
void addOperands(Maker &m, Stmt &s) {
  if (isOfMatrices(infoOf(s.sub_group).kind))
    return addMatrices(m, s);
  if (isOfBlocks2d(infoOf(s.sub_group).kind))
    return addBlock2d(m, s);
  if (isOfImage(infoOf(s.sub_group).kind))
    return addImageBlock(m, s);
  addValue(m, s);
  switch (infoOf(s.sub_group).kind) {
  case SubGroupKind::ClusteredReduction: s.number = clusterSize(m); break;
  case SubGroupKind::Broadcast: s.values.push_back(lane(m, Level::SubGroup)); break;
  case SubGroupKind::BallotBit:
  case SubGroupKind::Exchange: s.values.push_back(existingLane(m, m.expr(kUInt, Level::Lane, 2))); break;
  case SubGroupKind::Shuffle: s.values.push_back(lane(m, Level::Lane)); break;
  case SubGroupKind::ShuffleXor:
  case SubGroupKind::ShuffleUp:
  case SubGroupKind::ShuffleDown: s.values.push_back(distance(m)); break;
  case SubGroupKind::PairUp:
  case SubGroupKind::PairDown:
    s.values.push_back(anyValue(m, s, Level::Lane));
    s.values.push_back(distance(m));
    break;
  case SubGroupKind::ClusteredRotate: s.number = clusterSize(m); [[fallthrough]];
  case SubGroupKind::Rotate: s.values.push_back(rotation(m)); break;
  case SubGroupKind::BlockRead: s.number = m.below(8) + m.below(2) * BlockNumber::kPlain; break;
  case SubGroupKind::BlockWrite:
    s.number = m.below(s.type.lanes) + m.below(2) * BlockNumber::kPlain;
    s.values.push_back(existingLane(m, m.expr(kUInt, Level::Lane, 2)));
    break;
  case SubGroupKind::WorkGroupBroadcast: addCoordinates(m, s); break;
  default: break;
  }
}

} // namespace lanecl::fuzz
