// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/permute.h"

#include "lanes/cross_lane/register_permute.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Register permutes work on integers: i1 is extended to bytes, other types are bitcast.
Value *toPermutable(const LaneContext &c, Value *v) {
  auto *type = cast<FixedVectorType>(v->getType());
  Type *element = type->getElementType();
  const unsigned lanes = type->getNumElements();
  if (element->isIntegerTy(1))
    return c.b.CreateSExt(v, FixedVectorType::get(c.b.getInt8Ty(), lanes));
  if (element->isPointerTy())
    return c.b.CreatePtrToInt(v, FixedVectorType::get(c.b.getInt64Ty(), lanes));
  return c.b.CreateBitCast(v, FixedVectorType::get(c.b.getIntNTy(element->getScalarSizeInBits()), lanes));
}

// A permuted vector, or one element of it, in its own type again.
Value *fromPermutable(const LaneContext &c, Value *v, Type *element) {
  // Bytes may be returned as 16-bit elements (see RegisterTable).
  Type *type = element;
  if (auto *vector = dyn_cast<FixedVectorType>(v->getType()))
    type = FixedVectorType::get(element, vector->getNumElements());
  if (element->isPointerTy())
    return c.b.CreateIntToPtr(v, type);
  return element->isIntegerTy() ? c.b.CreateTrunc(v, type) : c.b.CreateBitCast(v, type);
}

bool isBelow(const LaneContext &c, Value *index, unsigned bound) {
  const DataLayout &layout = c.b.GetInsertBlock()->getDataLayout();
  return computeKnownBits(index, layout).countMaxActiveBits() <= Log2_32(bound);
}

// The shuffle mask of a constant index vector; nothing when some element is not a constant number.
bool constantShuffle(Value *index, unsigned count, SmallVectorImpl<int> &shuffle) {
  auto *constant = dyn_cast<Constant>(index);
  if (!constant)
    return false;
  const unsigned lanes = cast<FixedVectorType>(index->getType())->getNumElements();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Constant *element = constant->getAggregateElement(lane);
    if (auto *number = dyn_cast_or_null<ConstantInt>(element))
      shuffle.push_back(int(number->getZExtValue() & (count - 1)));
    else if (isa_and_nonnull<UndefValue>(element))
      shuffle.push_back(PoisonMaskElem);
    else
      return false;
  }
  return true;
}

Value *readTable(const LaneContext &c, Value *table, Value *index) {
  const unsigned count = cast<FixedVectorType>(table->getType())->getNumElements();
  Value *result = RegisterTable(c, toPermutable(c, table)).read(index, isBelow(c, index, count));
  return fromPermutable(c, result, table->getType()->getScalarType());
}

// Whether one lane of so many bits is stored and loaded no later than permutes bring it, which need its number in a
// register, too. The port that permutes all is the scarce one, and the load may be an operand of the broadcast's user.
// AVX-512 permutes two registers at once; with AVX2 several are first blended.
bool isFasterFromMemory(const LaneContext &c, unsigned bits) {
  if (bits > c.target.registerBits())
    return c.target.level == IsaLevel::Avx2;
  return bits > 128;
}

} // namespace

Value *emitShuffle(const LaneContext &c, Value *v, Value *index) {
  SmallVector<int, 64> shuffle;
  if (constantShuffle(index, c.width, shuffle))
    return c.b.CreateShuffleVector(v, shuffle, "shuffled");
  return readTable(c, v, index);
}

Value *emitShuffle2(const LaneContext &c, Value *low, Value *high, Value *index) {
  SmallVector<int, 64> shuffle;
  if (constantShuffle(index, 2 * c.width, shuffle))
    return c.b.CreateShuffleVector(low, high, shuffle, "shuffled");
  SmallVector<int, 128> both(2 * c.width);
  for (unsigned lane = 0; lane < 2 * c.width; ++lane)
    both[lane] = int(lane);
  return readTable(c, c.b.CreateShuffleVector(low, high, both), index);
}

Value *emitBroadcast(const LaneContext &c, Value *v, Value *lane) {
  if (auto *constant = dyn_cast<ConstantInt>(lane))
    return c.b.CreateExtractElement(v, constant->getZExtValue() & (c.width - 1), "broadcast");
  Type *element = v->getType()->getScalarType();
  if (element->isIntegerTy(1)) { // one bit of a mask register
    Value *bits = maskBits(c, defined(c, v));
    Value *distance = c.b.CreateAnd(lane, c.b.getInt32(c.width - 1));
    return c.b.CreateTrunc(c.b.CreateLShr(bits, c.b.CreateZExtOrTrunc(distance, bits->getType())), element);
  }
  const DataLayout &layout = c.b.GetInsertBlock()->getDataLayout();
  if (isFasterFromMemory(c, unsigned(layout.getTypeSizeInBits(v->getType()))))
    return c.b.CreateExtractElement(v, c.b.CreateAnd(lane, c.b.getInt32(c.width - 1)), "broadcast");
  Value *result = RegisterTable(c, toPermutable(c, v)).readOne(lane, isBelow(c, lane, c.width));
  return fromPermutable(c, result, element);
}

Value *emitBroadcastFirst(const LaneContext &c, Value *v, Value *mask) {
  return emitBroadcast(c, v, emitFirstActive(c, mask));
}

Value *emitInsertLane(const LaneContext &c, Value *v, Value *lane, Value *scalar) {
  if (auto *constant = dyn_cast<ConstantInt>(lane))
    return c.b.CreateInsertElement(v, scalar, constant->getZExtValue() & (c.width - 1));
  Value *wanted = c.b.CreateAnd(lane, c.b.getInt32(c.width - 1));
  Value *here = c.b.CreateICmpEQ(laneIds(c), c.b.CreateVectorSplat(c.width, wanted));
  return c.b.CreateSelect(here, c.b.CreateVectorSplat(c.width, scalar), v);
}

} // namespace lanecl::vectorizer::lanes
