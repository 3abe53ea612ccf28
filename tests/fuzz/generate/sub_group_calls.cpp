// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls of sub-group and work-group functions: which function, of which type, and where the result goes.
#include "generate/sub_group_operands.h"

#include "language/blocks_2d.h"
#include "language/matrices.h"

#include <algorithm>

namespace lanecl::fuzz {

namespace {

// Returns whether sub-groups of that size can call the function. Some functions are for one size only, which the kernel
// must require.
bool allowsWidth(SubGroupFunction function, unsigned width) {
  if (isOfBlocks2d(infoOf(function).kind))
    return width == Block2d::kWidth;
  return !isOfMatrices(infoOf(function).kind) || matricesOf(function, {sumBase(function), 2}).allowWidth(width);
}

// The weight of a kind of functions, which the functions of that kind share.
struct KindWeight {
  SubGroupKind kind;
  unsigned weight;
};
constexpr KindWeight kWeights[] = {{SubGroupKind::Reduction, 10},
                                   {SubGroupKind::InclusiveScan, 9},
                                   {SubGroupKind::ExclusiveScan, 9},
                                   {SubGroupKind::ClusteredReduction, 9},
                                   {SubGroupKind::Vote, 7},
                                   {SubGroupKind::AllEqual, 3},
                                   {SubGroupKind::Elect, 2},
                                   {SubGroupKind::Ballot, 3},
                                   {SubGroupKind::InverseBallot, 2},
                                   {SubGroupKind::BallotBit, 2},
                                   {SubGroupKind::BallotCount, 4},
                                   {SubGroupKind::BallotFind, 3},
                                   {SubGroupKind::Mask, 2},
                                   {SubGroupKind::Broadcast, 6},
                                   {SubGroupKind::BroadcastFirst, 3},
                                   {SubGroupKind::Shuffle, 7},
                                   {SubGroupKind::ShuffleXor, 6},
                                   {SubGroupKind::ShuffleUp, 4},
                                   {SubGroupKind::ShuffleDown, 4},
                                   {SubGroupKind::PairUp, 5},
                                   {SubGroupKind::PairDown, 5},
                                   {SubGroupKind::Rotate, 4},
                                   {SubGroupKind::ClusteredRotate, 4},
                                   {SubGroupKind::BlockLoad, 4},
                                   {SubGroupKind::BlockPrefetch, 2},
                                   {SubGroupKind::BlockRead, 4},
                                   {SubGroupKind::BlockWrite, 4},
                                   {SubGroupKind::Exchange, 4},
                                   {SubGroupKind::ImageBlockRead, 12},
                                   {SubGroupKind::ImageBlockWrite, 12},
                                   {SubGroupKind::ImageBlockChange, 14},
                                   {SubGroupKind::Block2dRead, 30},
                                   {SubGroupKind::Block2dTransform, 20},
                                   {SubGroupKind::Block2dTranspose, 14},
                                   {SubGroupKind::Block2dPrefetch, 5},
                                   {SubGroupKind::Block2dWrite, 24},
                                   {SubGroupKind::Matrix, 12},
                                   {SubGroupKind::Barrier, 3},
                                   {SubGroupKind::WorkGroupReduction, 3},
                                   {SubGroupKind::WorkGroupInclusiveScan, 3},
                                   {SubGroupKind::WorkGroupExclusiveScan, 3},
                                   {SubGroupKind::WorkGroupVote, 2},
                                   {SubGroupKind::WorkGroupBroadcast, 3},
                                   {SubGroupKind::SplitMatrix, 8}};

// Returns the functions of that kind that the kernel's sub-groups can call.
std::vector<SubGroupFunction> functionsOf(const Maker &m, SubGroupKind kind) {
  std::vector<SubGroupFunction> functions;
  for (unsigned i = 0; i < kSubGroupFunctionCount; ++i)
    if (kSubGroupFunctions[i].kind == kind && allowsWidth(SubGroupFunction(i), m.kernel.required_width))
      functions.push_back(SubGroupFunction(i));
  return functions;
}

// Returns whether the function accesses input memory, where no lane writes.
bool isOfInput(SubGroupKind kind) {
  return kind == SubGroupKind::BlockLoad || kind == SubGroupKind::BlockPrefetch;
}

ImageShape::Access accessOf(SubGroupKind kind) {
  return kind == SubGroupKind::ImageBlockRead    ? ImageShape::Access::Read
         : kind == SubGroupKind::ImageBlockWrite ? ImageShape::Access::Write
                                                 : ImageShape::Access::ReadWrite;
}

// Returns whether a function of that kind may access the memory.
bool servesIn(SubGroupKind kind, const MemoryObject &o) {
  const bool is_global_scratch = o.role == MemoryObject::Role::Scratch;
  const bool is_input = o.role == MemoryObject::Role::Input && isScalar(o.type) && o.count >= kBlockInput;
  if (isOfImage(kind))
    return o.role == MemoryObject::Role::Image && o.image.access == accessOf(kind);
  if (isOfInput(kind))
    return is_input;
  if (kind == SubGroupKind::Block2dWrite)
    return is_global_scratch;
  if (isOfBlocks2d(kind))
    return is_global_scratch || (is_input && bitsOf(o.type.base) == 32);
  return o.isScratch();
}

// Whether the kernel has what functions of that kind need.
bool isPossible(const Maker &m, SubGroupKind kind, const Place &place) {
  if (isOfWorkGroup(kind) ? place.level != Level::Group : needsWholeSubGroup(kind) && place.level == Level::Lane)
    return false;
  if (functionsOf(m, kind).empty())
    return false;
  return !usesMemory(kind) || !m.memoriesWhere([&](const MemoryObject &o) { return servesIn(kind, o); }).empty();
}

// Few kernels can call functions of these kinds, so a kernel that can stores their results more often.
bool isRare(SubGroupKind kind) {
  return isOfMatrices(kind) || isOfBlocks2d(kind) || isOfImage(kind);
}

// Chooses by weight among the kinds that are possible here.
SubGroupKind chooseKind(Maker &m, const Place &place) {
  std::vector<KindWeight> ways;
  unsigned sum = 0;
  for (const KindWeight &way : kWeights)
    if (isPossible(m, way.kind, place)) {
      ways.push_back(way);
      sum += way.weight;
    }
  unsigned left = m.below(sum);
  for (const KindWeight &way : ways) {
    if (left < way.weight)
      return way.kind;
    left -= way.weight;
  }
  return SubGroupKind::Reduction;
}

// Chooses the memory that the function accesses, if it accesses any.
void chooseMemory(Maker &m, Stmt &s) {
  const SubGroupKind kind = infoOf(s.sub_group).kind;
  if (usesMemory(kind))
    s.memory = m.pick(m.memoriesWhere([&](const MemoryObject &o) { return servesIn(kind, o); }));
}

// Returns whether the function exists for the type, and a lane's values fit into its part of the scratch memory.
bool accepts(const Maker &m, const Stmt &s, Type type) {
  const SubGroupInfo &info = infoOf(s.sub_group);
  const unsigned bytes = type.lanes * bitsOf(type.base) / 8;
  if (!contains(info.types, type))
    return false;
  return !usesMemory(info.kind) || isOfInput(info.kind) || isOfImage(info.kind) ||
         bytes <= m.kernel.memories[s.memory].count * 4;
}

// Chooses the function's type: one of the kernel's types or any other one, rarely a long vector.
bool chooseType(Maker &m, Stmt &s) {
  if (infoOf(s.sub_group).types == SubGroupTypes::None)
    return true;
  if (infoOf(s.sub_group).types == SubGroupTypes::Ballots) {
    s.type = {Base::UInt, 4};
    return true;
  }
  if (isOfMatrices(infoOf(s.sub_group).kind)) {
    const std::vector<uint8_t> rows{2, 4, 4, 8, 8, 1};
    do
      s.type = {sumBase(s.sub_group), m.pick(rows)};
    while (!contains(infoOf(s.sub_group).types, s.type));
    return true;
  }
  const std::vector<uint8_t> lanes{2, 2, 3, 4, 4, 8, 16};
  for (unsigned attempt = 0; attempt < 30; ++attempt) {
    Type type = m.anyType();
    if (attempt > 10 || m.chance(70))
      type.base = Base(m.below(kBases));
    type.lanes = m.chance(usesMemory(infoOf(s.sub_group).kind) ? 30 : 75) ? 1 : m.pick(lanes);
    if (accepts(m, s, type)) {
      s.type = type;
      return true;
    }
  }
  return false;
}

// Declares a new variable for the result. Its value before the call is never used.
void declareTarget(Maker &m, Block &out, Stmt &s, Type type, Level level) {
  s.target.variable = m.declareAs(out, type, m.constant(type, 0), level);
}

// Chooses a variable for the result, or declares one. Floating-point results are kept as their bits.
void chooseResult(Maker &m, Block &out, Stmt &s, Level level) {
  Type type = resultType(s.sub_group, s.type);
  if (!isInteger(type.base))
    type.base = unsignedOfBits(bitsOf(type.base));
  const bool number = isInteger(resultType(s.sub_group, s.type).base) && type.lanes == 1;
  const auto targets = m.variablesWhere([&](const Variable &v) {
    const bool fits = v.type == type || (number && v.type.lanes == 1 && isInteger(v.type.base));
    return fits && !v.fixed && isPlain(v) && v.level >= level;
  });
  const bool is_new = targets.empty() || m.chance(30);
  if (is_new)
    declareTarget(m, out, s, type, level);
  else
    s.target.variable = m.pick(targets);
}

// Stores all components of the target to an output, because often nothing else uses them.
void storeResult(Maker &m, Block &out, const Stmt &s) {
  const ExprPtr whole = m.variable(s.target.variable);
  const Type type = whole->type;
  ExprPtr digest;
  for (unsigned i = 0; i < type.lanes; ++i) {
    ExprPtr part = whole;
    if (type.lanes > 1)
      part = make({.kind = Expr::Kind::Component, .type = {type.base, 1}, .args = {whole}, .number = i});
    part = m.converted({Base::ULong, 1}, part);
    const ExprPtr scaled =
        digest ? m.operation(Op::Mul, kSize, {digest, m.constant(kSize, 0x9E3779B97F4A7C15)}) : nullptr;
    digest = digest ? m.operation(Op::Xor, kSize, {scaled, part}) : part;
  }
  const auto outputs =
      m.memoriesWhere([](const MemoryObject &o) { return o.role == MemoryObject::Role::Output && isScalar(o.type); });
  Stmt store{.kind = Stmt::Kind::Store, .memory = m.pick(outputs)};
  const Type in_memory = m.kernel.memories[store.memory].type;
  if (bitsOf(in_memory.base) < 64 && bitsOf(type.base) == 64)
    digest = m.operation(Op::Xor, kSize, {digest, m.operation(Op::Shr, kSize, {digest, m.constant(kSize, 32)})});
  store.values = {m.ownCell(store.memory, m.slot(store.memory, Level::Lane, 1)), m.converted(in_memory, digest)};
  out.push_back(store);
}

// Lets only full sub-groups make the call, if the kernel may have others.
Stmt inFullSubGroups(Maker &m, const Stmt &call) {
  if (m.chance(70) && haveWorkGroupsOf(m.kernel, m.width))
    return call;
  const ExprPtr is_full =
      m.operation(Op::Equal, kInt, {m.ask(Query::SubGroupSize, kUInt), m.ask(Query::MaxSubGroupSize, kUInt)});
  return {.kind = Stmt::Kind::If, .values = {is_full}, .blocks = {{call}, {}}};
}

} // namespace

// Calls a sub-group or work-group function that is valid at this place, and often stores its result.
void makeSubGroupCall(Maker &m, Block &out, const Place &place) {
  const SubGroupKind kind = chooseKind(m, place);
  Stmt s{.kind = Stmt::Kind::SubGroupCall, .sub_group = m.pick(functionsOf(m, kind))};
  chooseMemory(m, s);
  if (!chooseType(m, s))
    return;
  addOperands(m, s);
  m.function.whole_sub_groups |= needsWholeSubGroup(kind);
  const Level same = isOfWorkGroup(kind) ? Level::Group : Level::SubGroup;
  if (!givesNothing(kind))
    chooseResult(m, out, s, givesSame(kind) ? std::max(place.level, same) : Level::Lane);
  out.push_back(needsFullSubGroup(kind) ? inFullSubGroups(m, s) : s);
  if (!givesNothing(kind) && m.chance(isRare(kind) ? 80 : 50))
    storeResult(m, out, s);
}

} // namespace lanecl::fuzz
