// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/context.h"

#include "analysis/values/poison.h"

#include "llvm/IR/Constants.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {

Constant *laneIds(const LaneContext &c) {
  SmallVector<uint32_t, 64> ids(c.width);
  for (unsigned lane = 0; lane < c.width; ++lane)
    ids[lane] = lane;
  return ConstantDataVector::get(c.b.getContext(), ids);
}

AllocaInst *temporaryOf(const LaneContext &c, Type *type) {
  BasicBlock &entry = c.b.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type, nullptr, "temporary");
}

bool isFullMask(const Value *mask) {
  if (!mask)
    return true;
  const auto *constant = dyn_cast<Constant>(mask);
  return constant && constant->isAllOnesValue();
}

Value *materializeMask(const LaneContext &c, Value *mask) {
  assert(isMask(c, mask) && "a bit for each lane");
  return mask ? mask : Constant::getAllOnesValue(c.maskType());
}

Value *defined(const LaneContext &c, Value *v) {
  Value *result = mayHavePoison(*v) ? c.b.CreateFreeze(v) : v;
  assert(!mayHavePoison(*result) && "each element is some number");
  return result;
}

Value *maskBits(const LaneContext &c, Value *mask) {
  return c.b.CreateBitCast(materializeMask(c, mask), c.b.getIntNTy(c.width), "mask.bits");
}

bool hasLanes(const LaneContext &c, const Value *v) {
  const auto *type = dyn_cast<FixedVectorType>(v->getType());
  return type != nullptr && type->getNumElements() == c.width;
}

bool isMask(const LaneContext &c, const Value *mask) {
  return mask == nullptr || mask->getType() == c.maskType();
}

} // namespace lanecl::vectorizer::lanes
