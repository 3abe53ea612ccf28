// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/vector/known_lanes.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Returns the constant that the value evaluates to, or null. Without optimization no earlier pass folded constants.
static Constant *constantOf(Value *value, const DataLayout &layout) {
  if (auto *constant = dyn_cast<Constant>(value))
    return constant;
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || isa<PHINode, CallBase>(instruction) || instruction->mayReadOrWriteMemory())
    return nullptr;
  SmallVector<Constant *, 4> operands;
  for (Value *operand : instruction->operands()) {
    operands.push_back(constantOf(operand, layout));
    if (operands.back() == nullptr)
      return nullptr;
  }
  return ConstantFoldInstOperands(instruction, operands, layout);
}

// The active lanes: a run of neighboring ones, whose number a plain access can have.
struct LaneRun {
  unsigned first = 0, count = 0;
};

// Returns the active lanes if they are neighbors and their number is a power of two. Returns nothing if no lanes or all
// lanes are active, or if a bit of the mask is unknown.
static std::optional<LaneRun> runOf(const Constant &mask) {
  LaneRun run;
  const unsigned lanes = cast<FixedVectorType>(mask.getType())->getNumElements();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto *active = dyn_cast_or_null<ConstantInt>(mask.getAggregateElement(lane));
    if (active == nullptr || (active->isOne() && run.count != 0 && lane != run.first + run.count))
      return std::nullopt;
    if (active->isOne() && run.count++ == 0)
      run.first = lane;
  }
  return isPowerOf2_32(run.count) && run.count < lanes ? std::optional(run) : std::nullopt;
}

// The plain access that replaces a masked one.
struct RunAccess {
  LaneRun run;
  Type *type; // an element, or a vector of several
  Value *address;
  Align align;
};

// Describes the plain access; `address` is the number of the operand with the address, which the mask follows.
static std::optional<RunAccess> runAccess(IntrinsicInst &access, Type *type, unsigned address, IRBuilder<> &builder) {
  const DataLayout &layout = access.getDataLayout();
  Type *element = type->getScalarType();
  const Constant *mask = constantOf(access.getArgOperand(address + 1), layout);
  const std::optional<LaneRun> run = mask != nullptr ? runOf(*mask) : std::nullopt;
  if (!run || !layout.typeSizeEqualsStoreSize(element))
    return std::nullopt;
  assert(cast<FixedVectorType>(mask->getType())->getNumElements() == cast<FixedVectorType>(type)->getNumElements() &&
         "a bit for each element");
  assert(isPowerOf2_32(run->count) &&
         all_of(seq(run->first, run->first + run->count),
                [&](unsigned lane) { return mask->getAggregateElement(lane)->isOneValue(); }) &&
         "as many neighboring lanes as a plain access can have");
  const uint64_t distance = run->first * layout.getTypeStoreSize(element).getFixedValue();
  return RunAccess{*run, run->count == 1 ? element : FixedVectorType::get(element, run->count),
                   builder.CreateConstGEP1_64(element, access.getArgOperand(address), run->first),
                   commonAlignment(access.getParamAlign(address).valueOrOne(), distance)};
}

// Erases the masked access after giving its alias scopes to the plain one.
static void replace(IntrinsicInst &access, Instruction &plain) {
  plain.copyMetadata(access, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  access.eraseFromParent();
}

// Stores the active lanes' elements by a plain store.
static bool storeRun(IntrinsicInst &store) {
  IRBuilder<> builder(&store);
  Value *all = store.getArgOperand(0);
  const std::optional<RunAccess> access = runAccess(store, all->getType(), 1, builder);
  if (!access)
    return false;
  Value *value = access->run.count == 1
                     ? builder.CreateExtractElement(all, access->run.first)
                     : builder.CreateShuffleVector(all, createSequentialMask(access->run.first, access->run.count, 0));
  replace(store, *builder.CreateAlignedStore(value, access->address, access->align));
  return true;
}

// Loads the active lanes' elements and blends them into the value that the masked load gives to the other lanes.
static bool loadRun(IntrinsicInst &load) {
  IRBuilder<> builder(&load);
  const std::optional<RunAccess> access = runAccess(load, load.getType(), 0, builder);
  if (!access)
    return false;
  const auto [first, count] = access->run;
  Value *others = load.getArgOperand(2);
  LoadInst *plain = builder.CreateAlignedLoad(access->type, access->address, access->align);
  Value *result = nullptr;
  if (count == 1) {
    result = builder.CreateInsertElement(others, plain, first);
  } else {
    const unsigned lanes = cast<FixedVectorType>(load.getType())->getNumElements();
    SmallVector<int, 64> from;
    for (unsigned lane = 0; lane < lanes; ++lane)
      from.push_back(static_cast<int>(lane >= first && lane < first + count ? lanes + lane - first : lane));
    Value *widened = builder.CreateShuffleVector(plain, createSequentialMask(0, count, lanes - count));
    result = builder.CreateShuffleVector(others, widened, from);
  }
  load.replaceAllUsesWith(result);
  replace(load, *plain);
  return true;
}

PreservedAnalyses KnownLanesPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      switch (call->getIntrinsicID()) {
      case Intrinsic::masked_store: changed |= storeRun(*call); break;
      case Intrinsic::masked_load: changed |= loadRun(*call); break;
      default: break;
      }
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
