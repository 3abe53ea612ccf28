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

} // namespace

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
