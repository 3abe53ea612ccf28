// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "language/sub_group_functions.h"

namespace lanecl::fuzz {

namespace {

bool isBlock(Type type) {
  const unsigned bytes = type.lanes * bitsOf(type.base) / 8;
  return isInteger(type.base) && !isSigned(type.base) && type.lanes != 3 && bytes <= 64 &&
         (type.lanes < 16 || bitsOf(type.base) < 32);
}

bool isSum(Type type, Base base, unsigned least) {
  return type.base == base && type.lanes >= least && type.lanes <= 8 && type.lanes != 3;
}

} // namespace

bool contains(SubGroupTypes types, Type type) {
  const unsigned bits = bitsOf(type.base);
  const bool scalar = type.lanes == 1;
  switch (types) {
  case SubGroupTypes::None: return false;
  case SubGroupTypes::Int: return type == kInt;
  case SubGroupTypes::Integers: return scalar && isInteger(type.base);
  case SubGroupTypes::Narrow: return scalar && isInteger(type.base) && bits < 32;
  case SubGroupTypes::Wide: return scalar && (bits >= 32 || type.base == Base::Half);
  case SubGroupTypes::Scalars: return scalar;
  case SubGroupTypes::Vectors: return true;
  case SubGroupTypes::NarrowVectors: return isInteger(type.base) && bits < 32 && type.lanes <= 8;
  case SubGroupTypes::ShuffledVectors: return scalar || (bits <= 32 && type.base != Base::Half);
  case SubGroupTypes::Ballots: return type == Type{Base::UInt, 4};
  case SubGroupTypes::Blocks: return isBlock(type);
  case SubGroupTypes::IntSums: return isSum(type, Base::Int, 1);
  case SubGroupTypes::FloatSums: return isSum(type, Base::Float, 1);
  case SubGroupTypes::HalfSums: return isSum(type, Base::Half, 1);
  case SubGroupTypes::ShortSums: return isSum(type, Base::Short, 1);
  case SubGroupTypes::SplitIntSums: return isSum(type, Base::Int, 2);
  case SubGroupTypes::SplitFloatSums: return isSum(type, Base::Float, 2);
  case SubGroupTypes::Exchanged: return type.lanes != 3 && type.lanes * bits <= 64 * 8;
  }
  return false;
}

bool givesSame(SubGroupKind kind) {
  switch (kind) {
  case SubGroupKind::Reduction:
  case SubGroupKind::Vote:
  case SubGroupKind::AllEqual:
  case SubGroupKind::Ballot:
  case SubGroupKind::Broadcast:
  case SubGroupKind::BroadcastFirst:
  case SubGroupKind::WorkGroupReduction:
  case SubGroupKind::WorkGroupVote:
  case SubGroupKind::WorkGroupBroadcast: return true;
  default: return false;
  }
}

Type resultType(SubGroupFunction function, Type type) {
  switch (infoOf(function).kind) {
  case SubGroupKind::AllEqual:
  case SubGroupKind::Elect:
  case SubGroupKind::InverseBallot:
  case SubGroupKind::BallotBit: return kInt;
  case SubGroupKind::Ballot:
  case SubGroupKind::Mask: return {Base::UInt, 4};
  case SubGroupKind::Block2dWrite:
  case SubGroupKind::BallotCount:
  case SubGroupKind::BallotFind: return kUInt;
  case SubGroupKind::BlockWrite: return {type.base, 1};
  default: return type;
  }
}

bool givesCondition(SubGroupFunction function) {
  const SubGroupInfo &info = infoOf(function);
  switch (info.kind) {
  case SubGroupKind::Vote:
  case SubGroupKind::WorkGroupVote:
  case SubGroupKind::AllEqual:
  case SubGroupKind::Elect:
  case SubGroupKind::InverseBallot:
  case SubGroupKind::BallotBit: return true;
  default: return info.combination >= Combination::LogicalAnd;
  }
}

} // namespace lanecl::fuzz
