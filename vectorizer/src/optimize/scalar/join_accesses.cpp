// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/join_accesses.h"

#include "analysis/shapes/shape_analysis.h"
#include "pass_support/preserved.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

// A group is closed once the block has made this many memory accesses since the group's first one, so the time for a
// block is linear in its length.
constexpr size_t kMostAccesses = 128;

// A load or store that is a member of a group.
struct Access {
  Instruction *instruction;
  int64_t offset;  // from the group's first access, in elements
  size_t position; // the access's number among the block's memory accesses
};

// Accesses of one block that may be performed at once: loads where the first of them is, stores where the last is.
struct Group {
  bool stores;
  int64_t stride; // the distance from lane to lane, in bytes
  uint64_t bytes; // the size of an element
  // A load joins only if no write from this position on may conflict with it. The position is that of the group's first
  // load, or of an earlier store that may itself be moved past that load.
  size_t since;
  SmallVector<Access, 8> accesses;
};

// Finds the groups of a block and joins their accesses. Two accesses change places only if neither of them may touch
// memory that the other one writes, in any two lanes: a block performs each access for all lanes before it performs the
// next one, and programs for GPUs may rely on that order.
class Joiner {
public:
  Joiner(Function &function, unsigned lanes, ScalarEvolution &evolution, AAResults &aliases)
      : lanes(lanes), evolution(evolution), aliases(aliases), data(function.getDataLayout()), layouts(function),
        shapes(function, layouts) {}

  bool run(BasicBlock &block);

private:
  std::optional<Group> candidate(Instruction &access) const;
  std::optional<int64_t> byteDistance(const Instruction &from, const Instruction &to) const;
  std::optional<int64_t> offsetIn(const Group &group, const Group &alone) const;
  bool areApart(int64_t distance, int64_t stride, int64_t bytes_of_a, int64_t bytes_of_b) const;
  bool areApartByDistance(const Instruction &a, const Instruction &b) const;
  bool mayConflict(const Instruction &other, const Instruction &access) const;
  bool mayTake(const Group &group, const Instruction &access) const;
  bool endsAt(const Group &group, const Instruction &instruction) const;
  void visit(Instruction &instruction);
  void join(const Group &group);
  void joinRun(const Group &group, ArrayRef<Access> run);

  const int64_t lanes;
  ScalarEvolution &evolution;
  AAResults &aliases;
  const DataLayout &data;
  const PrivateLayouts layouts;
  const ShapeInfo shapes;
  SmallVector<Instruction *, 32> visited; // the memory accesses of the block so far
  SmallVector<Group, 4> open, closed;
  bool changed = false;
};

// Nothing is moved before all groups are known, because conflicts are decided by the program's own order.
bool Joiner::run(BasicBlock &block) {
  changed = false;
  for (Instruction &instruction : block)
    if (instruction.mayReadOrWriteMemory() || !isGuaranteedToTransferExecutionToSuccessor(&instruction))
      visit(instruction);
  closed.append(open);
  for (const Group &group : closed)
    join(group);
  open.clear();
  closed.clear();
  visited.clear();
  return changed;
}

// Returns a group of the access alone if neighboring lanes access elements a few elements apart, else nothing.
std::optional<Group> Joiner::candidate(Instruction &access) const {
  const auto *load = dyn_cast<LoadInst>(&access);
  const auto *store = dyn_cast<StoreInst>(&access);
  if (!(load && load->isSimple()) && !(store && store->isSimple()))
    return std::nullopt;
  Type *type = getLoadStoreType(&access);
  const Value *address = getLoadStorePointerOperand(&access);
  const uint64_t bits = type->getPrimitiveSizeInBits();
  if (!(type->isIntegerTy() || type->isFloatingPointTy()) || bits < 8 || bits > 64 || !isPowerOf2_64(bits))
    return std::nullopt;
  const Shape shape = shapes.shapeOf(address);
  constexpr int64_t kMostElements = 16;
  const int64_t bytes = int64_t(bits / 8);
  if (!shape.isStrided() || shape.stride() <= bytes || shape.stride() % bytes != 0 ||
      shape.stride() / bytes > kMostElements || layouts.laneInnermostVariable(address) != nullptr)
    return std::nullopt;
  size_t since = visited.size();
  for (const Group &group : open) // such stores may be moved past the load
    if (group.stores)
      since = std::min(since, group.accesses[0].position);
  return Group{store != nullptr, shape.stride(), uint64_t(bytes), since, {{&access, 0, visited.size()}}};
}

// Returns how many bytes the address of `to` is past that of `from`, if the distance is constant.
std::optional<int64_t> Joiner::byteDistance(const Instruction &from, const Instruction &to) const {
  Type *byte = IntegerType::getInt8Ty(from.getContext());
  return getPointersDiff(byte, const_cast<Value *>(getLoadStorePointerOperand(&from)), byte,
                         const_cast<Value *>(getLoadStorePointerOperand(&to)), data, evolution, /*StrictCheck=*/true,
                         /*CheckType=*/false);
}

// Returns the access's offset in the group, or nothing if it does not belong there. Loads of a group have different
// offsets; stores of a group touch different memory in all lanes.
std::optional<int64_t> Joiner::offsetIn(const Group &group, const Group &alone) const {
  if (group.stores != alone.stores || group.stride != alone.stride || group.bytes != alone.bytes)
    return std::nullopt;
  const int64_t bytes = int64_t(group.bytes);
  const std::optional<int64_t> distance = byteDistance(*group.accesses[0].instruction, *alone.accesses[0].instruction);
  if (!distance || *distance % bytes != 0)
    return std::nullopt;
  const int64_t offset = *distance / bytes;
  // A group holds each element once, and no two stores to the same memory.
  const auto meets = [&](const Access &other) {
    return group.stores ? !areApart((offset - other.offset) * bytes, group.stride, bytes, bytes)
                        : offset == other.offset;
  };
  return any_of(group.accesses, meets) ? std::nullopt : std::optional(offset);
}

// Returns whether two accesses touch different memory in all lanes; `b` is `distance` bytes past `a` in one lane.
bool Joiner::areApart(int64_t distance, int64_t stride, int64_t bytes_of_a, int64_t bytes_of_b) const {
  assert(stride > 0 && "lanes have addresses that rise");
  const int64_t behind = (distance % stride + stride) % stride; // bytes past the nearest `a` of any lane
  const bool are_in_gaps = behind >= bytes_of_a && behind + bytes_of_b <= stride;
  const bool are_beyond = std::max(bytes_of_a, bytes_of_b) <= stride && std::abs(distance) >= lanes * stride;
  return are_in_gaps || are_beyond;
}

// Proves two accesses apart by their constant distance, for example two members of an array of structures.
bool Joiner::areApartByDistance(const Instruction &a, const Instruction &b) const {
  const Shape of_a = shapes.shapeOf(getLoadStorePointerOperand(&a)),
              of_b = shapes.shapeOf(getLoadStorePointerOperand(&b));
  if (!of_a.isStrided() || of_a.stride() <= 0 || !of_b.isStrided() || of_a.stride() != of_b.stride())
    return false;
  const auto bytesOf = [&](const Instruction &i) { return int64_t(data.getTypeStoreSize(getLoadStoreType(&i))); };
  const std::optional<int64_t> distance = byteDistance(a, b);
  return distance && areApart(*distance, of_a.stride(), bytesOf(a), bytesOf(b));
}

// Returns whether `access`, which belongs to a group, must not be moved across `other`: one lane of it may touch what
// another lane of `other` touches, or `other` may not return. Alias analysis is asked about locations without a size.
// They are apart only if everything computed from the two pointers is apart, which then holds for all lanes.
bool Joiner::mayConflict(const Instruction &other, const Instruction &access) const {
  if (!isGuaranteedToTransferExecutionToSuccessor(&other))
    return true;
  if (isa<LoadInst, StoreInst>(other) && !other.isAtomic() && areApartByDistance(other, access))
    return false;
  const auto anywhere = [](const Instruction &i) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&i), i.getAAMetadata());
  };
  if (isa<LoadInst, StoreInst>(other) && !other.isAtomic())
    return !aliases.isNoAlias(anywhere(other), anywhere(access));
  return isModOrRefSet(aliases.getModRefInfo(&other, anywhere(access)));
}

// Returns whether the access may join. A load is moved up across everything visited since the group's place.
bool Joiner::mayTake(const Group &group, const Instruction &access) const {
  return group.stores || none_of(ArrayRef(visited).drop_front(group.since), [&](const Instruction *other) {
           const bool is_read = other->willReturn() && !other->mayWriteToMemory();
           return !is_read && mayConflict(*other, access);
         });
}

// Returns whether the group ends before `instruction`. Stores are moved down across everything up to the last store of
// their group. Loads are checked when they join (mayTake).
bool Joiner::endsAt(const Group &group, const Instruction &instruction) const {
  if (visited.size() - group.accesses[0].position >= kMostAccesses)
    return true;
  return group.stores &&
         any_of(group.accesses, [&](const Access &access) { return mayConflict(instruction, *access.instruction); });
}

// Lets the access join an open group or found one, and closes the groups that end here.
void Joiner::visit(Instruction &instruction) {
  std::optional<Group> alone = candidate(instruction);
  bool at_home = false;
  for (Group &group : open) {
    const std::optional<int64_t> offset = alone && !at_home ? offsetIn(group, *alone) : std::nullopt;
    if (offset && mayTake(group, instruction)) {
      group.accesses.push_back({&instruction, *offset, visited.size()});
      at_home = true;
    } else if (offset || endsAt(group, instruction)) {
      closed.push_back(std::exchange(group, {}));
    }
  }
  erase_if(open, [](const Group &group) { return group.accesses.empty(); });
  if (alone && !at_home)
    open.push_back(std::move(*alone));
  visited.push_back(&instruction);
}

// Joins the accesses that make up whole structures, so that no gaps are left between the lanes. Loads of a number of
// members that is not a power of two are left alone: one by one they are faster, from wide loads of their own. Stores
// of such a number are joined, because one by one they would be scatters.
void Joiner::join(const Group &group) {
  SmallVector<Access, 8> sorted = group.accesses;
  sort(sorted, [](const Access &a, const Access &b) { return a.offset < b.offset; });
  // A run is one access for each element of the structure.
  const size_t wanted = size_t(group.stride) / group.bytes;
  if (!group.stores && !isPowerOf2_64(wanted))
    return;
  for (size_t begin = 0; begin + wanted <= sorted.size();) {
    const bool is_run = sorted[begin + wanted - 1].offset - sorted[begin].offset == int64_t(wanted) - 1;
    if (is_run)
      joinRun(group, ArrayRef(sorted).slice(begin, wanted));
    begin += is_run ? wanted : 1;
  }
}

// Replaces the accesses by one: a load where the first one was, a store where the last one was.
void Joiner::joinRun(const Group &group, ArrayRef<Access> run) {
  const auto earlier = [](const Access &a, const Access &b) { return a.position < b.position; };
  assert(all_of(enumerate(run),
                [&](const auto &member) {
                  return member.value().offset == run[0].offset + static_cast<int64_t>(member.index());
                }) &&
         "a run has each element of the structure once");
  assert(all_of(run,
                [&](const Access &access) {
                  return isa<StoreInst>(access.instruction) == group.stores && !access.instruction->isVolatile() &&
                         !access.instruction->isAtomic();
                }) &&
         "plain accesses of one kind");
  const Access &place = group.stores ? *max_element(run, earlier) : *min_element(run, earlier);
  // The vector's address is that of the structure's first member, computed from the address at the place. Members of
  // different types become integers of their size.
  IRBuilder<> b(place.instruction);
  Type *type = getLoadStoreType(run[0].instruction), *integer = b.getIntNTy(unsigned(group.bytes) * 8);
  const bool mixed = any_of(run, [&](const Access &a) { return getLoadStoreType(a.instruction) != type; });
  Type *element = mixed ? integer : type;
  auto *vector = FixedVectorType::get(element, unsigned(run.size()));
  Value *address = b.CreateConstGEP1_64(integer, getLoadStorePointerOperand(place.instruction),
                                        uint64_t(run[0].offset - place.offset));
  const Align align = getLoadStoreAlignment(run[0].instruction);
  const SmallVector<Value *, 16> replaced(map_range(run, [](const Access &access) { return access.instruction; }));
  if (group.stores) {
    Value *whole = PoisonValue::get(vector);
    for (const auto &[i, access] : enumerate(run))
      whole = b.CreateInsertElement(
          whole, b.CreateBitCast(cast<StoreInst>(access.instruction)->getValueOperand(), element), uint64_t(i));
    propagateMetadata(b.CreateAlignedStore(whole, address, align), replaced);
  } else {
    Value *whole = propagateMetadata(b.CreateAlignedLoad(vector, address, align), replaced);
    for (const auto &[i, access] : enumerate(run))
      access.instruction->replaceAllUsesWith(
          b.CreateBitCast(b.CreateExtractElement(whole, uint64_t(i)), getLoadStoreType(access.instruction)));
  }
  for (const Access &access : run)
    access.instruction->eraseFromParent();
  changed = true;
}

} // namespace

PreservedAnalyses JoinAccessesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  Joiner joiner(function, context.launch.width, analyses.getResult<ScalarEvolutionAnalysis>(function),
                analyses.getResult<AAManager>(function));
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= joiner.run(block);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
