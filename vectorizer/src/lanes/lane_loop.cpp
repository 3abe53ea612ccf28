// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/lane_loop.h"

#include "lanes/cross_lane/permute.h"
#include "lanes/cross_lane/votes.h"
#include "lanes/loop.h"

#include "llvm/IR/Intrinsics.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

using LaneBody = function_ref<void(Value *lane, SmallVectorImpl<Value *> &carried)>;

// Emits the loop over the set bits of the mask: each turn takes the lowest bit as the lane's number and clears it.
void emitLoopOverLanes(const LaneContext &c, Value *mask, SmallVectorImpl<Value *> &carried, LaneBody body) {
  assert(c.width <= 64 && "the lanes that are left are bits of one number");
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

LanesInMemory::LanesInMemory(const LaneContext &c, Value *vector)
    : element(cast<FixedVectorType>(vector->getType())->getElementType()) {
  assert(hasLanes(c, vector) && "an element for each lane");
  vector = defined(c, vector); // the loads of a chunk span several lanes, and inactive ones may be poison
  // Vectors pack integers of other than 8, 16, 32 … bits more tightly than arrays do.
  const uint64_t bits = c.b.GetInsertBlock()->getDataLayout().getTypeAllocSizeInBits(element);
  if (element->isIntegerTy() && bits != element->getIntegerBitWidth())
    vector = c.b.CreateZExt(vector, c.vectorOf(c.b.getIntNTy(static_cast<unsigned>(bits))));
  memory = temporaryOf(c, vector->getType());
  c.b.CreateLifetimeStart(memory);
  c.b.CreateAlignedStore(vector, memory, memory->getAlign());
}

unsigned LanesInMemory::bytesPerLane() const {
  const DataLayout &layout = memory->getDataLayout();
  return static_cast<unsigned>(layout.getTypeStoreSize(memory->getAllocatedType()->getScalarType()).getFixedValue());
}

Value *LanesInMemory::load(const LaneContext &c, Value *lane) const {
  assert(lane->getType()->isIntegerTy(32) && "a lane's number as an i32");
  Type *stored = memory->getAllocatedType()->getScalarType();
  Value *place = c.b.CreateInBoundsGEP(stored, memory, c.b.CreateZExt(lane, c.b.getInt64Ty()));
  return c.b.CreateTrunc(c.b.CreateLoad(stored, place), element);
}

SmallVector<Value *, 8> LanesInMemory::loadChunk(const LaneContext &c, Value *first, unsigned count) const {
  assert(isPowerOf2_32(count) && count <= c.width && "the words of a chunk are aligned");
  IRBuilderBase &b = c.b;
  const unsigned bytes = bytesPerLane(), per_word = std::min(8 / bytes, count);
  SmallVector<Value *, 8> values;
  // Elements of 8 bytes, and pointers, are loaded one by one.
  if (per_word < 2 || element->isPointerTy()) {
    for (unsigned lane = 0; lane < count; ++lane)
      values.push_back(load(c, b.CreateAdd(first, b.getInt32(lane))));
    return values;
  }
  // Several narrow elements come in one load and are taken out of it by shifts.
  Type *word = b.getIntNTy(per_word * bytes * 8), *number = b.getIntNTy(bytes * 8);
  for (unsigned lane = 0; lane < count; ++lane) {
    if (lane % per_word == 0)
      values.push_back(b.CreateAlignedLoad(
          word, b.CreateInBoundsGEP(number, memory, b.CreateZExt(b.CreateAdd(first, b.getInt32(lane)), b.getInt64Ty())),
          Align(per_word * bytes)));
    else
      values.push_back(values[lane - lane % per_word]);
  }
  for (const auto &[lane, value] : enumerate(values)) {
    Value *lowest = b.CreateTrunc(b.CreateLShr(value, lane % per_word * bytes * 8), number);
    value = element->isIntegerTy() ? b.CreateTrunc(lowest, element) : b.CreateBitCast(lowest, element);
  }
  return values;
}

void LanesInMemory::end(const LaneContext &c) const {
  c.b.CreateLifetimeEnd(memory);
}

void emitShortLaneLoop(const LaneContext &c, Value *mask, unsigned count, function_ref<void(Value *first)> chunk,
                       function_ref<void(IRBuilderBase &b, Value *lane)> body) {
  assert(isPowerOf2_32(count) && c.width % count == 0 && "chunks divide the sub-group");
  IRBuilderBase &b = c.b;
  SmallVector<Value *, 1> nothing;
  Value *all = isFullMask(mask) ? nullptr : emitAll(c, mask);
  if (count == c.width && !all)
    chunk(b.getInt32(0));
  else
    emitCountedLoop(b, "all.lanes", all, c.width / count, nothing, [&](Value *index, SmallVectorImpl<Value *> &) {
      chunk(count == c.width ? b.getInt32(0) : b.CreateMul(index, b.getInt32(count), "", true, true));
    });
  if (all)
    // Runs no lane if all were active: the mask is then replaced by zeros.
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
    for (auto [vector, scalar] : zip_equal(vectors, scalars))
      vector = emitInsertLane(c, vector, lane, scalar);
  });
  return collected;
}

} // namespace lanecl::vectorizer::lanes
