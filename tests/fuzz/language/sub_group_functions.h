// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that work-items of a sub-group or a work-group call together, by kind; a statement calls one
// (Stmt::Kind::SubGroupCall).
#pragma once

#include "language/types.h"

#include <string_view>

namespace lanecl::fuzz {

enum class SubGroupFunction {
#define SUB_GROUP_FUNCTION(name, kind, combination, types, text) name,
#include "language/sub_group_functions.def"
};

// Operands: the value, of the call's type, and
enum class SubGroupKind {
  Reduction,
  InclusiveScan,
  ExclusiveScan,
  ClusteredReduction, // (its size is the call's number)
  Vote,               // (the value is a condition)
  AllEqual,
  Elect,          // (no value)
  Ballot,         // (the value is a condition)
  InverseBallot,  // (the value is a ballot, the same in all)
  BallotBit,      // (the value is a ballot) the lane
  BallotCount,    // (the value is a ballot)
  BallotFind,     // (the value is a ballot)
  Mask,           // (no value)
  Broadcast,      // the lane, the same in all
  BroadcastFirst, // nothing
  Shuffle,        // the lane
  ShuffleXor,     // the mask
  ShuffleUp,      // the distance
  ShuffleDown,
  PairUp,          // (the value goes before) the value itself, the distance
  PairDown,        // the value that follows, the distance
  Rotate,          // the distance, the same in all
  ClusteredRotate, // as well; the size is the call's number
  ImageBlockRead,  // (no value) x and y in bytes and rows, the same in all
  // These need the whole sub-group, and most of them memory. Component k of lane l is element k * W + l of a block.
  BlockLoad,     // (no value) the index of an element of an input, the same in all: a block that is there. The
                 // last bit of the call's number: it is fetched before
  BlockPrefetch, // (no value) as well; no result
  BlockRead,     // lanes store their components as those of a lane further on, as BlockNumber says, then read the block
  BlockWrite,    // the lane, of which a component is read after the block was written, as BlockNumber says
  Exchange,      // the lane, whose value is read after all have stored theirs
  Block2dRead,   // (no value) x, y, width, height and pitch, the same in all: see blocks_2d.h. Components of the result
                 // sum up several values each where there are more than 16. The call's number says where an input's
                 // region begins, in units of 64 bytes
  Block2dTransform, // as well, and the next two
  Block2dTranspose,
  Block2dPrefetch, // no result
  Block2dWrite, // x, y, width, height and pitch, the same in all; the number of a uint of the sub-group's memory, which
                // is read afterwards
  ImageBlockWrite,  // (no result) x and y in bytes and rows, the same in all: by the image's writer alone
  ImageBlockChange, // as well; x and y of a block that is read from the same image afterwards
  Matrix,           // (the value is the sum) the left matrix, the right one: see matrices.h
  Barrier,          // (no value) no result; see BarrierNumber
  // These need the whole work-group.
  WorkGroupReduction,
  WorkGroupInclusiveScan,
  WorkGroupExclusiveScan,
  WorkGroupVote,      // (the value is a condition)
  WorkGroupBroadcast, // one to three coordinates, the same in all
  SplitMatrix         // as Matrix, by two sub-groups each. Which pairs call: all if the call's number is negative, else
                      // those that are whole and have their bit in it, modulo kSplitPairs
};
inline constexpr unsigned kSplitPairs = 4;

// What a block's number consists of besides what its kind says.
struct BlockNumber {
  static constexpr int64_t kPlain = 16; // uints are not named
  static constexpr unsigned valueOf(int64_t number) { return unsigned(number) % kPlain; }
};

// What a barrier's number consists of: the memory that is fenced, and the scope, if one is named.
struct BarrierNumber {
  static constexpr unsigned kLocal = 1, kGlobal = 2, kImage = 4, kScopes = 4;
  static constexpr unsigned scopeOf(int64_t number) { return unsigned(number) >> 3; } // none, or 1 and on
};

// What the values of several lanes are combined with.
enum class Combination { None, Add, Mul, Min, Max, And, Or, Xor, LogicalAnd, LogicalOr, LogicalXor };

// Of the values.
enum class SubGroupTypes {
  None,
  Int,
  Integers, // scalars
  Narrow,   // char and short, signed or not
  Wide,     // int and wider ones, floating point included
  Scalars,
  Vectors,         // scalars included
  NarrowVectors,   // of Narrow, up to eight components
  ShuffledVectors, // vectors up to 32 bits a component, and all scalars
  Ballots,         // uint4
  Blocks,          // unsigned, up to 64 bytes
  IntSums,         // int, of 1, 2, 4 or 8 components; see matrices.h
  FloatSums,
  HalfSums,
  ShortSums,
  SplitIntSums, // at least two of them
  SplitFloatSums,
  Exchanged // scalars and vectors up to 64 bytes but for those of three components
};
bool contains(SubGroupTypes types, Type type);

struct SubGroupInfo {
  std::string_view text; // in OpenCL C
  SubGroupKind kind;
  Combination combination;
  SubGroupTypes types;
};

inline constexpr SubGroupInfo kSubGroupFunctions[] = {
#define SUB_GROUP_FUNCTION(name, kind, combination, types, text)                                                       \
  {text, SubGroupKind::kind, Combination::combination, SubGroupTypes::types},
#include "language/sub_group_functions.def"
};
inline constexpr unsigned kSubGroupFunctionCount = sizeof kSubGroupFunctions / sizeof kSubGroupFunctions[0];

constexpr const SubGroupInfo &infoOf(SubGroupFunction function) {
  return kSubGroupFunctions[unsigned(function)];
}

constexpr bool isOfWorkGroup(SubGroupKind kind) {
  return kind >= SubGroupKind::WorkGroupReduction;
}
// The call names a memory object.
constexpr bool usesMemory(SubGroupKind kind) {
  return kind >= SubGroupKind::ImageBlockRead && kind <= SubGroupKind::ImageBlockChange;
}
// All work-items of the sub-group that exist must call it together.
constexpr bool needsWholeSubGroup(SubGroupKind kind) {
  return kind >= SubGroupKind::BlockLoad && kind <= SubGroupKind::Barrier;
}
constexpr bool isOfMatrices(SubGroupKind kind) {
  return kind == SubGroupKind::Matrix || kind == SubGroupKind::SplitMatrix;
}
constexpr bool isOfBlocks2d(SubGroupKind kind) {
  return kind >= SubGroupKind::Block2dRead && kind <= SubGroupKind::Block2dWrite;
}
// All lanes that a sub-group may have must be there.
constexpr bool needsFullSubGroup(SubGroupKind kind) {
  return kind == SubGroupKind::Matrix || isOfBlocks2d(kind);
}
constexpr bool isOfImage(SubGroupKind kind) {
  return kind == SubGroupKind::ImageBlockRead || kind == SubGroupKind::ImageBlockWrite ||
         kind == SubGroupKind::ImageBlockChange;
}
constexpr bool givesNothing(SubGroupKind kind) {
  return kind == SubGroupKind::ImageBlockWrite || kind == SubGroupKind::BlockPrefetch ||
         kind == SubGroupKind::Block2dPrefetch || kind == SubGroupKind::Barrier;
}
// One lane's value comes from another lane, which must call, too.
constexpr bool isExchange(SubGroupKind kind) {
  return kind == SubGroupKind::Broadcast || (kind >= SubGroupKind::Shuffle && kind <= SubGroupKind::ClusteredRotate);
}
// All that call get the same.
bool givesSame(SubGroupKind kind);

// Of a function of values of that type.
Type resultType(SubGroupFunction function, Type type);
// Results are any numbers other than zero where something holds.
bool givesCondition(SubGroupFunction function);

} // namespace lanecl::fuzz
