// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "optimize/single_lane_stores.h"

#include "pass_support/preserved.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lanecl::vectorizer {

// The constant that the value evaluates to, or null. Without optimization constants have not been folded.
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

// The only lane in the mask; nothing when there are several or none, or when a bit is not known.
static std::optional<unsigned> singleLane(const Constant &mask) {
  std::optional<unsigned> found;
  for (unsigned lane = 0; lane < cast<FixedVectorType>(mask.getType())->getNumElements(); ++lane) {
    const auto *active = dyn_cast_or_null<ConstantInt>(mask.getAggregateElement(lane));
    if (active == nullptr || (active->isOne() && found))
      return std::nullopt;
    if (active->isOne())
      found = lane;
  }
  return found;
}

static bool storeSingleLane(IntrinsicInst &store) {
  const Constant *mask = constantOf(store.getArgOperand(2), store.getDataLayout());
  const std::optional<unsigned> lane = mask != nullptr ? singleLane(*mask) : std::nullopt;
  if (!lane)
    return false;
  IRBuilder<> builder(&store);
  Value *element = builder.CreateExtractElement(store.getArgOperand(0), *lane);
  Value *address = builder.CreateConstGEP1_64(element->getType(), store.getArgOperand(1), *lane);
  const uint64_t distance = *lane * store.getDataLayout().getTypeStoreSize(element->getType()).getFixedValue();
  const Align align = commonAlignment(store.getParamAlign(1).valueOrOne(), distance);
  StoreInst *plain = builder.CreateAlignedStore(element, address, align);
  plain->copyMetadata(store, {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  store.eraseFromParent();
  return true;
}

PreservedAnalyses SingleLaneStoresPass::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == Intrinsic::masked_store)
      changed |= storeSingleLane(*call);
  return preservedWithCfg(changed);
}

} // namespace lanecl::vectorizer
