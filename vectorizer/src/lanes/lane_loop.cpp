// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/lane_loop.h"

#include "lanes/loop.h"
#include "lanes/permute.h"
#include "lanes/votes.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

using LaneBody = function_ref<void(Value *lane, SmallVectorImpl<Value *> &carried)>;

// The loop over the set bits.
void emitLoopOverLanes(const LaneContext &c, Value *mask, SmallVectorImpl<Value *> &carried, LaneBody body) {
  IRBuilderBase &b = c.b;
  Value *any = isFullMask(mask) ? nullptr : emitAny(c, mask);
  carried.push_back(b.CreateZExt(maskBits(c, mask), c.width > 32 ? b.getInt64Ty() : b.getInt32Ty(), "lanes.left"));
  emitLoop(b, "lane.loop", any, carried, [&](SmallVectorImpl<Value *> &values) {
    Value *left = values.pop_back_val();
    Value *lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue());
    body(b.CreateZExtOrTrunc(lane, b.getInt32Ty(), "lane"), values);
    Type *type = left->getType();
    values.push_back(b.CreateAnd(left, b.CreateSub(left, ConstantInt::get(type, 1)), "lanes.left.next"));
    return b.CreateICmpNE(values.back(), ConstantInt::get(type, 0));
  });
  carried.pop_back();
}

// Unrolled late, when lanes in memory are no longer taken for values.
void unrollBy(Instruction *repeat, unsigned count) {
  LLVMContext &context = repeat->getContext();
  Metadata *number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), count));
  MDNode *request = MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.count"), number});
  MDNode *loop = MDNode::getDistinct(context, {nullptr, request});
  loop->replaceOperandWith(0, loop);
  repeat->setMetadata(LLVMContext::MD_loop, loop);
}

} // namespace

LanesInMemory::LanesInMemory(const LaneContext &c, Value *vector)
    : element(cast<FixedVectorType>(vector->getType())->getElementType()) {
  if (element->isIntegerTy(1))
    vector = c.b.CreateZExt(vector, c.vectorOf(c.b.getInt8Ty()));
  memory = temporaryOf(c, vector->getType());
  c.b.CreateLifetimeStart(memory);
  c.b.CreateAlignedStore(vector, memory, memory->getAlign());
}

Value *LanesInMemory::load(const LaneContext &c, Value *lane) const {
  Type *stored = element->isIntegerTy(1) ? c.b.getInt8Ty() : element;
  Value *place = c.b.CreateInBoundsGEP(stored, memory, c.b.CreateZExt(lane, c.b.getInt64Ty()));
  return c.b.CreateTrunc(c.b.CreateLoad(stored, place), element);
}

void LanesInMemory::end(const LaneContext &c) const {
  c.b.CreateLifetimeEnd(memory);
}

void emitShortLaneLoop(const LaneContext &c, Value *mask, function_ref<void(IRBuilderBase &b, Value *lane)> body) {
  constexpr unsigned kUnrolled = 8;
  IRBuilderBase &b = c.b;
  SmallVector<Value *, 1> nothing;
  Value *all = isFullMask(mask) ? nullptr : emitAll(c, mask);
  unrollBy(emitCountedLoop(b, "all.lanes", all, c.width, nothing,
                           [&](Value *lane, SmallVectorImpl<Value *> &) { body(b, lane); }),
           std::min(kUnrolled, c.width));
  if (all)
    emitLaneLoop(c, b.CreateSelect(all, Constant::getNullValue(c.maskType()), mask), body);
}

void emitLaneLoop(const LaneContext &c, Value *mask, function_ref<void(IRBuilderBase &b, Value *lane)> body) {
  SmallVector<Value *, 1> nothing;
  emitLoopOverLanes(c, mask, nothing, [&](Value *lane, SmallVectorImpl<Value *> &) { body(c.b, lane); });
}

SmallVector<Value *, 4> emitLaneLoopCollect(const LaneContext &c, Value *mask, ArrayRef<Type *> results,
                                            function_ref<SmallVector<Value *, 4>(IRBuilderBase &b, Value *lane)> body) {
  SmallVector<Value *, 4> collected;
  for (Type *type : results)
    collected.push_back(Constant::getNullValue(c.vectorOf(type)));
  emitLoopOverLanes(c, mask, collected, [&](Value *lane, SmallVectorImpl<Value *> &vectors) {
    const SmallVector<Value *, 4> scalars = body(c.b, lane);
    for (auto [vector, scalar] : zip(vectors, scalars))
      vector = emitInsertLane(c, vector, lane, scalar);
  });
  return collected;
}

} // namespace lanecl::vectorizer::lanes
