#include "lane_loop.h"

#include "permute.h"
#include "votes.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

using LoopBody = function_ref<void(IRBuilderBase &b, Value *lane, SmallVectorImpl<Value *> &carried)>;

// SetInsertPoint takes over the source location of what it finds there; ours is that of the lane operation.
void moveTo(IRBuilderBase &b, BasicBlock *block, BasicBlock::iterator where) {
  const DebugLoc location = b.getCurrentDebugLocation();
  b.SetInsertPoint(block, where);
  b.SetCurrentDebugLocation(location);
}

// The loop over the set bits. `carried` holds values that go round with it: the start values on entry, changed by the
// body, the values of the last round on return.
void emitLoop(const LaneContext &c, Value *mask, SmallVectorImpl<Value *> &carried, LoopBody body) {
  IRBuilderBase &b = c.b;
  Value *any = isFullMask(mask) ? nullptr : emitAny(c, mask);
  Value *bits = c.b.CreateZExt(maskBits(c, mask), c.width > 32 ? b.getInt64Ty() : b.getInt32Ty(), "lanes.left");
  Type *bits_type = bits->getType();

  BasicBlock *after = splitForContinuation(b, "lanes.done");
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(b.getContext(), "lane.loop", before->getParent(), after);
  if (any)
    b.CreateCondBr(any, loop, after);
  else
    b.CreateBr(loop);

  moveTo(b, loop, loop->end());
  PHINode *left = b.CreatePHI(bits_type, 2, "lanes.left");
  left->addIncoming(bits, before);
  SmallVector<PHINode *, 4> phis;
  for (Value *&value : carried) {
    phis.push_back(b.CreatePHI(value->getType(), 2));
    phis.back()->addIncoming(value, before);
  }
  const SmallVector<Value *, 4> start(carried.begin(), carried.end());
  carried.assign(phis.begin(), phis.end());
  Value *lane = b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue());
  body(b, b.CreateZExtOrTrunc(lane, b.getInt32Ty(), "lane"), carried);

  BasicBlock *latch = b.GetInsertBlock();
  Value *rest = b.CreateAnd(left, b.CreateSub(left, ConstantInt::get(bits_type, 1)), "lanes.left.next");
  left->addIncoming(rest, latch);
  for (auto [phi, value] : zip(phis, carried))
    phi->addIncoming(value, latch);
  b.CreateCondBr(b.CreateICmpNE(rest, ConstantInt::get(bits_type, 0)), loop, after);

  moveTo(b, after, after->begin());
  for (auto [value, first] : zip(carried, start)) {
    PHINode *result = b.CreatePHI(value->getType(), 2);
    result->addIncoming(value, latch);
    if (any)
      result->addIncoming(first, before);
    value = result;
  }
}

} // namespace

BasicBlock *splitForContinuation(IRBuilderBase &b, const Twine &name) {
  BasicBlock *block = b.GetInsertBlock();
  if (b.GetInsertPoint() == block->end() && !block->getTerminator()) {
    BasicBlock *after = BasicBlock::Create(b.getContext(), name, block->getParent(), block->getNextNode());
    return after;
  }
  BasicBlock *after = block->splitBasicBlock(b.GetInsertPoint(), name);
  block->getTerminator()->eraseFromParent();
  moveTo(b, block, block->end());
  return after;
}

void emitLaneLoop(const LaneContext &c, Value *mask, function_ref<void(IRBuilderBase &b, Value *lane)> body) {
  SmallVector<Value *, 1> nothing;
  emitLoop(c, mask, nothing, [&](IRBuilderBase &b, Value *lane, SmallVectorImpl<Value *> &) { body(b, lane); });
}

SmallVector<Value *, 4> emitLaneLoopCollect(const LaneContext &c, Value *mask, ArrayRef<Type *> results,
                                            function_ref<SmallVector<Value *, 4>(IRBuilderBase &b, Value *lane)> body) {
  SmallVector<Value *, 4> collected;
  for (Type *type : results)
    collected.push_back(Constant::getNullValue(c.vectorOf(type)));
  emitLoop(c, mask, collected, [&](IRBuilderBase &b, Value *lane, SmallVectorImpl<Value *> &vectors) {
    const SmallVector<Value *, 4> scalars = body(b, lane);
    for (auto [vector, scalar] : zip(vectors, scalars))
      vector = emitInsertLane(c, vector, lane, scalar);
  });
  return collected;
}

} // namespace lanecl::vectorizer::lanes
