// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/scalar/join_accesses.h"

#include "analysis/shape_analysis.h"
#include "pass_support/preserved.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lanecl::vectorizer {
namespace {

struct Access {
  Instruction *instruction;
  int64_t offset; // from the group's first access, in elements
};

// Accesses of one block, in program order, with nothing between them that forbids to do them at once.
struct Group {
  bool stores;
  int64_t stride; // from lane to lane, in bytes
  uint64_t bytes; // of an element
  SmallVector<Access, 8> accesses;
};

class Joiner {
public:
  Joiner(Function &function, ScalarEvolution &evolution, AAResults &aliases)
      : evolution(evolution), aliases(aliases), data(function.getDataLayout()), layouts(function),
        shapes(function, layouts) {}

  bool run(BasicBlock &block) {
    changed = false;
    for (Instruction &instruction : make_early_inc_range(block))
      if (instruction.mayReadOrWriteMemory())
        visit(instruction);
    for (const Group &group : open)
      join(group);
    open.clear();
    return changed;
  }

private:
  std::optional<Group> candidate(Instruction &access) const;
  std::optional<int64_t> offsetIn(const Group &group, const Group &alone) const;
  bool forbids(Instruction &instruction, const Group &group) const;
  void visit(Instruction &instruction);
  void join(const Group &group);
  void joinRun(const Group &group, ArrayRef<Access> run);

  ScalarEvolution &evolution;
  AAResults &aliases;
  const DataLayout &data;
  const PrivateLayouts layouts;
  const ShapeInfo shapes;
  SmallVector<Group, 4> open;
  bool changed = false;
};

// The access alone, if neighbouring lanes are a few elements apart.
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
  return Group{store != nullptr, shape.stride(), uint64_t(bytes), {{&access, 0}}};
}

// Nothing when the access does not belong to the group.
std::optional<int64_t> Joiner::offsetIn(const Group &group, const Group &alone) const {
  if (group.stores != alone.stores || group.stride != alone.stride || group.bytes != alone.bytes)
    return std::nullopt;
  Instruction *first = group.accesses[0].instruction, *access = alone.accesses[0].instruction;
  Type *element = IntegerType::get(first->getContext(), unsigned(group.bytes) * 8);
  const std::optional<int64_t> offset =
      getPointersDiff(element, getLoadStorePointerOperand(first), element, getLoadStorePointerOperand(access), data,
                      evolution, /*StrictCheck=*/true, /*CheckType=*/false);
  const auto isThere = [&](const Access &other) { return other.offset == offset; };
  return any_of(group.accesses, isThere) ? std::nullopt : offset;
}

bool Joiner::forbids(Instruction &instruction, const Group &group) const {
  if (!group.stores && !instruction.mayWriteToMemory())
    return false;
  return any_of(group.accesses, [&](const Access &access) {
    return isModOrRefSet(aliases.getModRefInfo(&instruction, MemoryLocation::get(access.instruction)));
  });
}

void Joiner::visit(Instruction &instruction) {
  std::optional<Group> alone = candidate(instruction);
  bool at_home = false;
  for (Group &group : open) {
    if (const std::optional<int64_t> offset = alone && !at_home ? offsetIn(group, *alone) : std::nullopt) {
      group.accesses.push_back({&instruction, *offset});
      at_home = true;
    } else if (forbids(instruction, group)) {
      join(group);
      group.accesses.clear();
    }
  }
  erase_if(open, [](const Group &group) { return group.accesses.empty(); });
  if (alone && !at_home)
    open.push_back(std::move(*alone));
}

// Joins what makes whole structures, so that nothing lies between those of the lanes. Loads of a number of members that
// is no power of two are faster one by one, from wide loads of their own; stores would be scatters.
void Joiner::join(const Group &group) {
  SmallVector<Access, 8> sorted = group.accesses;
  sort(sorted, [](const Access &a, const Access &b) { return a.offset < b.offset; });
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

// A load is done where the first one was, a store where the last one was.
void Joiner::joinRun(const Group &group, ArrayRef<Access> run) {
  const auto earlier = [](const Access &a, const Access &b) { return a.instruction->comesBefore(b.instruction); };
  const Access &place = group.stores ? *max_element(run, earlier) : *min_element(run, earlier);
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
  Joiner joiner(function, analyses.getResult<ScalarEvolutionAnalysis>(function),
                analyses.getResult<AAManager>(function));
  bool changed = false;
  for (BasicBlock &block : function)
    changed |= joiner.run(block);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
