// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/permute.h"

#include "lanes/cross_lane/register_permute.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Converts a vector to integers, on which register permutes work: i1 is extended to bytes, other types are bitcast.
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

// Converts a permuted vector, or one element of it, back to the lanes' own type.
Value *fromPermutable(const LaneContext &c, Value *v, Type *element) {
  // RegisterTable may return bytes as 16-bit elements, which are truncated here.
  Type *type = element;
  if (auto *vector = dyn_cast<FixedVectorType>(v->getType()))
    type = FixedVectorType::get(element, vector->getNumElements());
  if (element->isPointerTy())
    return c.b.CreateIntToPtr(v, type);
  return element->isIntegerTy() ? c.b.CreateTrunc(v, type) : c.b.CreateBitCast(v, type);
}

// Returns whether every index is known to be below `bound`, a power of two, so that no instruction has to reduce it.
bool isBelow(const LaneContext &c, Value *index, unsigned bound) {
  assert(isPowerOf2_32(bound) && "the bound is one bit");
  const DataLayout &layout = c.b.GetInsertBlock()->getDataLayout();
  return computeKnownBits(index, layout).countMaxActiveBits() <= Log2_32(bound);
}

// Appends the shuffle mask of a constant index vector. Returns false if an element is not a constant number.
bool constantShuffle(Value *index, unsigned count, SmallVectorImpl<int> &shuffle) {
  assert(isPowerOf2_32(count) && "indices are taken modulo the number of elements");
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

// Reads `table`, a vector whose number of elements is a power of two, at each index.
Value *readTable(const LaneContext &c, Value *table, Value *index) {
  const unsigned count = cast<FixedVectorType>(table->getType())->getNumElements();
  Value *result = RegisterTable(c, toPermutable(c, table)).read(index, isBelow(c, index, count));
  return fromPermutable(c, result, table->getType()->getScalarType());
}

// Returns whether a store of the vector and a load of one element are no slower than permutes; `bits` is the size of
// the vector. A permute needs the lane's number in a vector register, and its execution port is the scarce one. The
// load may also become the memory operand of a broadcast. A vector of several registers stays in registers with
// AVX-512, which permutes two at once; AVX2 would have to blend several permutes.
bool isFasterFromMemory(const LaneContext &c, unsigned bits) {
  if (bits > c.target.registerBits())
    return c.target.level == IsaLevel::Avx2;
  return bits > 128;
}

} // namespace

Value *emitShuffle(const LaneContext &c, Value *v, Value *index) {
  assert(hasLanes(c, v) && hasLanes(c, index) && index->getType()->getScalarType()->isIntegerTy(32) && "an i32 index");
  SmallVector<int, 64> shuffle;
  if (constantShuffle(index, c.width, shuffle))
    return c.b.CreateShuffleVector(v, shuffle, "shuffled");
  return readTable(c, v, index);
}

Value *emitShuffle2(const LaneContext &c, Value *low, Value *high, Value *index) {
  assert(hasLanes(c, low) && low->getType() == high->getType() && "two values of one type");
  assert(hasLanes(c, index) && index->getType()->getScalarType()->isIntegerTy(32) && "an i32 index");
  SmallVector<int, 64> shuffle;
  if (constantShuffle(index, 2 * c.width, shuffle))
    return c.b.CreateShuffleVector(low, high, shuffle, "shuffled");
  SmallVector<int, 128> both(2 * c.width);
  for (unsigned lane = 0; lane < 2 * c.width; ++lane)
    both[lane] = int(lane);
  return readTable(c, c.b.CreateShuffleVector(low, high, both), index);
}

Value *emitBroadcast(const LaneContext &c, Value *v, Value *lane) {
  assert(hasLanes(c, v) && lane->getType()->isIntegerTy(32) && "a lane's number as an i32");
  if (auto *constant = dyn_cast<ConstantInt>(lane))
    return c.b.CreateExtractElement(v, constant->getZExtValue() & (c.width - 1), "broadcast");
  Type *element = v->getType()->getScalarType();
  if (element->isIntegerTy(1)) { // a lane of a mask is one bit of an integer
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
  assert(hasLanes(c, v) && scalar->getType() == v->getType()->getScalarType() && "an element of the vector");
  assert(lane->getType()->isIntegerTy(32) && "a lane's number as an i32");
  if (auto *constant = dyn_cast<ConstantInt>(lane))
    return c.b.CreateInsertElement(v, scalar, constant->getZExtValue() & (c.width - 1));
  Value *wanted = c.b.CreateAnd(lane, c.b.getInt32(c.width - 1));
  Value *here = c.b.CreateICmpEQ(laneIds(c), c.b.CreateVectorSplat(c.width, wanted));
  return c.b.CreateSelect(here, c.b.CreateVectorSplat(c.width, scalar), v);
}

} // namespace lanecl::vectorizer::lanes
