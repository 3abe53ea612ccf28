// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/cross_lane/reduce.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer::lanes {
namespace {

// Clears the builder's fast-math flags. They would allow another order of the operations, and `ninf` would make the
// infinities poison that inactive lanes contribute.
class FixedOrder {
public:
  explicit FixedOrder(IRBuilderBase &b) : guard(b) { b.clearFastMathFlags(); }

private:
  IRBuilderBase::FastMathFlagGuard guard;
};

// Returns the start value of an exclusive scan: OpenCL's identity, which for add is +0.0 instead of -0.0.
Constant *scanStart(ReduceOp op, Type *type) {
  return op == ReduceOp::Add ? Constant::getNullValue(type) : reduceIdentity(op, type);
}

// Replaces the values of inactive lanes by the identity.
Value *replaceInactive(const LaneContext &c, ReduceOp op, Value *v, Value *mask) {
  assert(hasLanes(c, v) && isMask(c, mask) && isPowerOf2_32(c.width) && "the steps halve or double what they join");
  if (isFullMask(mask))
    return v;
  Constant *identity = reduceIdentity(op, v->getType()->getScalarType());
  // This case is the same as the select below. The code generator of LLVM 22 does not terminate on that select if it
  // does not optimize: an atomic increment by eight lanes of AVX2 in a loop.
  if (match(v, m_One()) && identity->isNullValue())
    return c.b.CreateZExt(mask, v->getType());
  return c.b.CreateSelect(mask, v, ConstantVector::getSplat(ElementCount::getFixed(c.width), identity));
}

// Returns v shifted up by one lane: lane l gets v[l - 1], lane 0 gets `first`.
Value *shiftUp(const LaneContext &c, Value *v, Constant *first) {
  SmallVector<int, 64> shuffle(c.width);
  for (unsigned lane = 0; lane < c.width; ++lane)
    shuffle[lane] = lane == 0 ? int(c.width) : int(lane - 1);
  return c.b.CreateShuffleVector(v, ConstantVector::getSplat(ElementCount::getFixed(c.width), first), shuffle);
}

// A block is four lanes of 32 bits, which processors shift in one instruction. Permutes across blocks are more
// expensive, so in the later steps of a scan all lanes of a block receive the same summand.
constexpr unsigned kBlock = 4;

// Returns the summands of the step between the two blocks of an AVX2 register: the lanes of the upper block get the
// last lane of the lower block, the others get `fill`. One instruction puts both side by side, each twice, and another
// spreads these pairs. The other elements of `fills` are poison: if LLVM knew them, it would join the two shuffles and
// need a third instruction for a blend.
Value *summandsFromLowerBlock(const LaneContext &c, Value *v, Constant *fill) {
  assert(c.width % (2 * kBlock) == 0 && v->getType()->getScalarSizeInBits() == 32 && "registers of two blocks");
  SmallVector<int, 64> pairs(c.width, PoisonMaskElem), spread(c.width / 2);
  SmallVector<Constant *, 64> fills(c.width, PoisonValue::get(fill->getType()));
  for (unsigned lane = 0; lane < c.width; lane += 2 * kBlock) {
    fills[lane] = fill;
    pairs[lane] = pairs[lane + 1] = int(c.width + lane);
    pairs[lane + 2] = pairs[lane + 3] = int(lane + kBlock - 1);
    for (unsigned i = 0; i < kBlock; ++i)
      spread[lane / 2 + i] = int(lane / 2 + i / 2);
  }
  Value *joined = c.b.CreateShuffleVector(v, ConstantVector::get(fills), pairs);
  Value *as_pairs = c.b.CreateBitCast(joined, FixedVectorType::get(c.b.getInt64Ty(), c.width / 2));
  return c.b.CreateBitCast(c.b.CreateShuffleVector(as_pairs, spread), v->getType());
}

// Returns what each lane adds in the step of a scan over `distance`; lanes that add nothing get `fill`.
Value *scanSummands(const LaneContext &c, Value *v, unsigned distance, Constant *fill) {
  if (distance == kBlock && c.target.level == IsaLevel::Avx2 && v->getType()->getScalarSizeInBits() == 32)
    return summandsFromLowerBlock(c, v, fill);
  SmallVector<int, 64> shuffle(c.width);
  for (unsigned lane = 0; lane < c.width; ++lane)
    if (distance < kBlock)
      shuffle[lane] = lane % kBlock < distance ? int(c.width + lane) : int(lane - distance);
    else
      shuffle[lane] = (lane & distance) == 0 ? int(c.width + lane) : int((lane & -distance) - 1);
  return c.b.CreateShuffleVector(v, ConstantVector::getSplat(ElementCount::getFixed(c.width), fill), shuffle);
}

// Computes in float if the operation is the minimum or maximum of halves and the processor has no half arithmetic: LLVM
// has no vector minimum of halves then. The extension is exact.
Value *inArithmeticType(const LaneContext &c, ReduceOp op, Value *v, function_ref<Value *(Value *)> compute) {
  Type *element = v->getType()->getScalarType();
  if (!element->isHalfTy() || c.target.fp16 || (op != ReduceOp::FMin && op != ReduceOp::FMax))
    return compute(v);
  Value *result = compute(c.b.CreateFPExt(v, c.vectorOf(c.b.getFloatTy())));
  return c.b.CreateFPTrunc(result, result->getType()->isVectorTy() ? v->getType() : element);
}

// Returns the length of the vectors that a step of a reduction works on. Each step halves it, so that the later steps
// use the short, cheap registers. Below 128 bits the length stays, and elements from `half` on are ignored, because
// LLVM would turn shorter vectors into scalars.
unsigned lengthOfStep(const Value *v, unsigned half) {
  const auto *type = cast<FixedVectorType>(v->getType());
  return std::min(type->getNumElements(), std::max(half, 128 / type->getScalarSizeInBits()));
}

// Returns a vector whose element i is v[i] for i < half.
Value *lowElements(const LaneContext &c, Value *v, unsigned half) {
  return c.b.CreateShuffleVector(v, createSequentialMask(0, lengthOfStep(v, half), 0));
}

// Returns a vector whose element i is v[i + half] for i < half.
Value *highElements(const LaneContext &c, Value *v, unsigned half) {
  assert(2 * half <= cast<FixedVectorType>(v->getType())->getNumElements() && "there is an upper half");
  return c.b.CreateShuffleVector(v, createSequentialMask(half, half, lengthOfStep(v, half) - half));
}

// Returns a vector whose lane l is v[l xor distance].
Value *exchange(const LaneContext &c, Value *v, unsigned distance) {
  const unsigned lanes = cast<FixedVectorType>(v->getType())->getNumElements();
  assert(isPowerOf2_32(distance) && lanes % (2 * distance) == 0 && "each lane has a partner");
  SmallVector<int, 64> shuffle(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    shuffle[lane] = int(lane ^ distance);
  return c.b.CreateShuffleVector(v, shuffle);
}

} // namespace

Constant *reduceIdentity(ReduceOp op, Type *type) {
  const bool floating = type->isFloatingPointTy();
  assert((floating || type->isIntegerTy()) && "the type of an element");
  assert((op == ReduceOp::Add || op == ReduceOp::Mul || floating == (op == ReduceOp::FMin || op == ReduceOp::FMax)) &&
         "an operation of this type");
  const unsigned bits = type->getScalarSizeInBits();
  switch (op) {
  case ReduceOp::Add: return floating ? ConstantFP::getNegativeZero(type) : Constant::getNullValue(type);
  case ReduceOp::Mul: return floating ? ConstantFP::get(type, 1.0) : ConstantInt::get(type, 1);
  case ReduceOp::SMin: return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case ReduceOp::SMax: return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case ReduceOp::FMin: return ConstantFP::getInfinity(type, false);
  case ReduceOp::FMax: return ConstantFP::getInfinity(type, true);
  case ReduceOp::UMin:
  case ReduceOp::And: return Constant::getAllOnesValue(type);
  case ReduceOp::UMax:
  case ReduceOp::Or:
  case ReduceOp::Xor: return Constant::getNullValue(type);
  }
  llvm_unreachable("every operation has an identity");
}

Value *emitReduceStep(const LaneContext &c, ReduceOp op, Value *x, Value *y) {
  assert(x->getType() == y->getType() && "two values of one type");
  const bool floating = x->getType()->isFPOrFPVectorTy();
  switch (op) {
  case ReduceOp::Add: return floating ? c.b.CreateFAdd(x, y) : c.b.CreateAdd(x, y);
  case ReduceOp::Mul: return floating ? c.b.CreateFMul(x, y) : c.b.CreateMul(x, y);
  case ReduceOp::SMin: return c.b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  case ReduceOp::SMax: return c.b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case ReduceOp::UMin: return c.b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case ReduceOp::UMax: return c.b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case ReduceOp::FMin: return c.b.CreateMinNum(x, y);
  case ReduceOp::FMax: return c.b.CreateMaxNum(x, y);
  case ReduceOp::And: return c.b.CreateAnd(x, y);
  case ReduceOp::Or: return c.b.CreateOr(x, y);
  case ReduceOp::Xor: return c.b.CreateXor(x, y);
  }
  llvm_unreachable("every operation has a step");
}

Value *emitReduce(const LaneContext &c, ReduceOp op, Value *v, Value *mask) {
  FixedOrder fixed(c.b);
  v = replaceInactive(c, op, v, mask);
  return inArithmeticType(c, op, v, [&](Value *x) -> Value * {
    for (unsigned half = c.width / 2; half >= 1; half /= 2)
      x = emitReduceStep(c, op, lowElements(c, x, half), highElements(c, x, half));
    return c.b.CreateExtractElement(x, uint64_t(0), "reduced");
  });
}

// Exchanges lanes within the last register instead of halving it, which leaves the result in all its lanes. With AVX2
// that takes as many instructions as halving. AVX-512 has more execution units for the halves, so it keeps to those.
Value *emitReduceToAll(const LaneContext &c, ReduceOp op, Value *v, Value *mask) {
  const unsigned bits = v->getType()->getScalarSizeInBits(), lanes = c.target.registerBits() / bits;
  if (c.target.level != IsaLevel::Avx2 || !v->getType()->isIntOrIntVectorTy() || bits < 32 || c.width < lanes)
    return nullptr;
  v = replaceInactive(c, op, v, mask);
  for (unsigned half = c.width / 2; half >= lanes; half /= 2)
    v = emitReduceStep(c, op, lowElements(c, v, half), highElements(c, v, half));
  for (unsigned distance = lanes / 2; distance >= 1; distance /= 2)
    v = emitReduceStep(c, op, v, exchange(c, v, distance));
  SmallVector<int, 64> repeated(c.width);
  for (unsigned lane = 0; lane < c.width; ++lane)
    repeated[lane] = int(lane % lanes);
  return c.b.CreateShuffleVector(v, repeated);
}

Value *emitClusteredReduce(const LaneContext &c, ReduceOp op, Value *v, Value *mask, Value *size) {
  assert(size->getType()->isIntegerTy(32) && "the number of lanes in a cluster");
  FixedOrder fixed(c.b);
  v = replaceInactive(c, op, v, mask);
  return inArithmeticType(c, op, v, [&](Value *x) {
    for (unsigned distance = 1; distance < c.width; distance *= 2) {
      // This folds to true or false if the size is a constant.
      Value *within = c.b.CreateICmpULT(c.b.getInt32(distance), size);
      if (match(within, m_Zero()))
        break;
      x = c.b.CreateSelect(within, emitReduceStep(c, op, x, exchange(c, x, distance)), x);
    }
    return x;
  });
}

Value *emitScan(const LaneContext &c, ReduceOp op, Value *v, Value *mask, ScanKind kind) {
  FixedOrder fixed(c.b);
  v = replaceInactive(c, op, v, mask);
  return inArithmeticType(c, op, v, [&](Value *x) {
    Type *element = x->getType()->getScalarType();
    if (kind == ScanKind::Exclusive)
      x = shiftUp(c, x, scanStart(op, element));
    for (unsigned distance = 1; distance < c.width; distance *= 2)
      x = emitReduceStep(c, op, scanSummands(c, x, distance, reduceIdentity(op, element)), x);
    return x;
  });
}

} // namespace lanecl::vectorizer::lanes
