// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/votes.h"

#include "llvm/IR/Intrinsics.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Returns the mask's bits as an integer of at least 32 bits, because counting narrower ones costs extra instructions.
Value *countableBits(const LaneContext &c, Value *mask) {
  Value *bits = maskBits(c, mask);
  return c.width < 32 ? c.b.CreateZExt(bits, c.b.getInt32Ty()) : bits;
}

Value *toInt32(const LaneContext &c, Value *v) {
  return c.b.CreateZExtOrTrunc(v, c.b.getInt32Ty());
}

} // namespace

// Compares the bits as one integer: the x86 backend turns this form into kortest, movmsk or ptest.
Value *emitAny(const LaneContext &c, Value *mask) {
  Value *bits = maskBits(c, mask);
  return c.b.CreateICmpNE(bits, Constant::getNullValue(bits->getType()), "any");
}

Value *emitAll(const LaneContext &c, Value *mask) {
  Value *bits = maskBits(c, mask);
  return c.b.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()), "all");
}

Value *emitAllActive(const LaneContext &c, Value *predicate, Value *mask) {
  assert(predicate != nullptr && isMask(c, predicate) && isMask(c, mask) && "a bit for each lane");
  if (isFullMask(mask))
    return emitAll(c, predicate);
  // A logical and, because the predicate may be poison in inactive lanes.
  Value *failing = c.b.CreateLogicalAnd(mask, c.b.CreateNot(predicate));
  return c.b.CreateNot(emitAny(c, failing), "all");
}

Value *emitBallot(const LaneContext &c, Value *mask) {
  return c.b.CreateZExt(maskBits(c, mask), c.b.getInt64Ty(), "ballot");
}

Value *emitActiveCount(const LaneContext &c, Value *mask) {
  if (isFullMask(mask))
    return c.b.getInt32(c.width);
  return toInt32(c, c.b.CreateUnaryIntrinsic(Intrinsic::ctpop, countableBits(c, mask)));
}

// Sets the bit above the mask's width, so that an empty mask gives W, and W mod W is 0.
Value *emitFirstActive(const LaneContext &c, Value *mask) {
  if (isFullMask(mask))
    return c.b.getInt32(0);
  Value *bits = countableBits(c, mask);
  assert(isPowerOf2_32(c.width) && c.width <= 64 && "the number of an empty mask is reduced to 0");
  const bool fits = bits->getType()->getIntegerBitWidth() > c.width;
  if (fits)
    bits = c.b.CreateOr(bits, ConstantInt::get(bits->getType(), uint64_t(1) << c.width));
  Value *first = toInt32(c, c.b.CreateBinaryIntrinsic(Intrinsic::cttz, bits, c.b.getInt1(fits)));
  return c.b.CreateAnd(first, c.b.getInt32(c.width - 1), "first.lane");
}

Value *emitLastActive(const LaneContext &c, Value *mask) {
  if (isFullMask(mask))
    return c.b.getInt32(c.width - 1);
  // Setting lane 0's bit makes the mask non-empty for ctlz. It does not change the result, which is 0 in both cases.
  Value *bits = countableBits(c, mask);
  bits = c.b.CreateOr(bits, ConstantInt::get(bits->getType(), 1));
  Value *zeros = toInt32(c, c.b.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, c.b.getTrue()));
  return c.b.CreateSub(c.b.getInt32(bits->getType()->getIntegerBitWidth() - 1), zeros, "last.lane");
}

} // namespace lanecl::vectorizer::lanes
