// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that the work-items of a sub-group or work-group call together, by kind. A statement of kind
// Stmt::Kind::SubGroupCall calls one.
#pragma once

#include "language/types.h"

#include <string_view>

namespace lanecl::fuzz {

enum class SubGroupFunction {
#define SUB_GROUP_FUNCTION(name, kind, combination, types, text) name,
#include "language/sub_group_functions.def"
};

// The operands are a value of the call's type, unless a comment in parentheses says otherwise, followed by the operands
// that the comment names.
enum class SubGroupKind {
  Reduction,
  InclusiveScan,
  ExclusiveScan,
  ClusteredReduction, // (the cluster size is the call's number)
  Vote,               // (the value is a condition)
  AllEqual,
  Elect,          // (no value)
  Ballot,         // (the value is a condition)
  InverseBallot,  // (the value is a ballot, the same for all lanes)
  BallotBit,      // (the value is a ballot) the lane
  BallotCount,    // (the value is a ballot)
  BallotFind,     // (the value is a ballot)
  Mask,           // (no value)
  Broadcast,      // the lane, the same for all lanes
  BroadcastFirst, // no more operands
  Shuffle,        // the lane
  ShuffleXor,     // the mask
  ShuffleUp,      // the distance
  ShuffleDown,
  PairUp,          // (the value goes before) the other value, the distance
  PairDown,        // the value that follows, the distance
  Rotate,          // the distance, the same for all lanes
  ClusteredRotate, // the same; the cluster size is the call's number
  ImageBlockRead,  // (no value) x in bytes and y in rows, the same for all lanes
  // The next ones need the whole sub-group, and most of them need memory. Component k of lane l is element k * W + l of
  // a block, where W is the sub-group size.
  //
  // (no value) The index of an element of an input, the same for all lanes: reads the block that starts there. The last
  // bit of the call's number says that the block is prefetched before.
  BlockLoad,
  BlockPrefetch, // (no value) the same; no result
  // Lanes store their components in place of those of another lane, whose distance BlockNumber says. Then they read the
  // block.
  BlockRead,
  // The lane, one of whose components is read after the block was written. BlockNumber says which component.
  BlockWrite,
  Exchange, // the lane whose value is read after all have stored theirs
  // (no value) x, y, width, height and pitch, the same for all lanes, see blocks_2d.h. If there are more than 16
  // values, components of the result combine several of them. The call's number says where the region starts in an
  // input, in units of 64 bytes.
  Block2dRead,
  Block2dTransform, // the same, as for the next two
  Block2dTranspose,
  Block2dPrefetch, // no result
  // x, y, width, height and pitch, the same for all lanes, and the number of a uint of the sub-group's memory, which is
  // read afterwards.
  Block2dWrite,
  // (no result) x in bytes and y in rows, the same for all lanes. Only the sub-group that is the image's writer writes.
  ImageBlockWrite,
  ImageBlockChange, // the same; x and y of a block that is read from the same image afterwards
  Matrix,           // (the value is the sum) the left matrix, the right matrix; see matrices.h
  Barrier,          // (no value) no result; see BarrierNumber
  // The remaining ones need the whole work-group.
  WorkGroupReduction,
  WorkGroupInclusiveScan,
  WorkGroupExclusiveScan,
  WorkGroupVote,      // (the value is a condition)
  WorkGroupBroadcast, // one to three coordinates, the same for all lanes
  // As Matrix, but two sub-groups work together. If the call's number is negative, all pairs call. Otherwise only
  // complete pairs call whose number, modulo kSplitPairs, is a bit that is set in it.
  SplitMatrix
};
inline constexpr unsigned kSplitPairs = 4;

// What the number of a call of a block function says in addition to what its kind defines.
struct BlockNumber {
  static constexpr int64_t kPlain = 16; // the suffix _ui is left out for uints
  static constexpr unsigned valueOf(int64_t number) { return unsigned(number) % kPlain; }
};

// What the number of a barrier call says: the memory that is fenced, and the scope, if there is one.
struct BarrierNumber {
  static constexpr unsigned kLocal = 1, kGlobal = 2, kImage = 4, kScopes = 4;
  static constexpr unsigned scopeOf(int64_t number) { return unsigned(number) >> 3; } // 0: no scope is named
};

// The operation that combines the values of several lanes.
enum class Combination { None, Add, Mul, Min, Max, And, Or, Xor, LogicalAnd, LogicalOr, LogicalXor };

// The types that a function's value may have.
enum class SubGroupTypes {
  None,
  Int,
  Integers, // scalars
  Narrow,   // char and short, signed or unsigned
  Wide,     // int and wider types, including floating point
  Scalars,
  Vectors,         // including scalars
  NarrowVectors,   // vectors of Narrow with up to eight components
  ShuffledVectors, // vectors of up to 32 bits a component, and all scalars
  Ballots,         // uint4
  Blocks,          // unsigned types of up to 64 bytes
  IntSums,         // int with 1, 2, 4 or 8 components, see matrices.h
  FloatSums,
  HalfSums,
  ShortSums,
  SplitIntSums, // the same with at least two components
  SplitFloatSums,
  Exchanged // scalars, and vectors of up to 64 bytes except those of three components
};
bool contains(SubGroupTypes types, Type type);

// What the generator, the evaluator and the printer need to know about a function.
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
// Whether the call names a memory object.
constexpr bool usesMemory(SubGroupKind kind) {
  return kind >= SubGroupKind::ImageBlockRead && kind <= SubGroupKind::ImageBlockChange;
}
// Whether all existing work-items of the sub-group must call it together.
constexpr bool needsWholeSubGroup(SubGroupKind kind) {
  return kind >= SubGroupKind::BlockLoad && kind <= SubGroupKind::Barrier;
}
constexpr bool isOfMatrices(SubGroupKind kind) {
  return kind == SubGroupKind::Matrix || kind == SubGroupKind::SplitMatrix;
}
constexpr bool isOfBlocks2d(SubGroupKind kind) {
  return kind >= SubGroupKind::Block2dRead && kind <= SubGroupKind::Block2dWrite;
}
// Whether every lane of the sub-group must exist.
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
// Whether a lane's result is the value of another lane, which must call, too.
constexpr bool isExchange(SubGroupKind kind) {
  return kind == SubGroupKind::Broadcast || (kind >= SubGroupKind::Shuffle && kind <= SubGroupKind::ClusteredRotate);
}
// Whether all callers get the same result.
bool givesSame(SubGroupKind kind);

// Returns the result type of a function for values of that type.
Type resultType(SubGroupFunction function, Type type);
// Whether the result is a condition: zero, or any other number if something holds.
bool givesCondition(SubGroupFunction function);

} // namespace lanecl::fuzz
