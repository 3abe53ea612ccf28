#include "reduce.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

// Fast-math flags would allow another order, and turn the infinities that stand for inactive lanes into poison.
class FixedOrder {
public:
  explicit FixedOrder(IRBuilderBase &b) : guard(b) { b.clearFastMathFlags(); }

private:
  IRBuilderBase::FastMathFlagGuard guard;
};

// What starts an exclusive scan: OpenCL's identity, which differs from the neutral element in the sign of zero.
Constant *scanStart(ReduceOp op, Type *type) {
  return op == ReduceOp::Add ? Constant::getNullValue(type) : reduceIdentity(op, type);
}

Value *replaceInactive(const LaneContext &c, ReduceOp op, Value *v, Value *mask) {
  if (isFullMask(mask))
    return v;
  Constant *identity = reduceIdentity(op, v->getType()->getScalarType());
  return c.b.CreateSelect(mask, v, ConstantVector::getSplat(ElementCount::getFixed(c.width), identity));
}

// Lane l gets v[l - distance], the lanes below `distance` get `fill`.
Value *shiftUp(const LaneContext &c, Value *v, unsigned distance, Constant *fill) {
  SmallVector<int, 64> shuffle(c.width);
  for (unsigned lane = 0; lane < c.width; ++lane)
    shuffle[lane] = lane < distance ? int(c.width + lane) : int(lane - distance);
  return c.b.CreateShuffleVector(v, ConstantVector::getSplat(ElementCount::getFixed(c.width), fill), shuffle);
}

} // namespace

Constant *reduceIdentity(ReduceOp op, Type *type) {
  const bool floating = type->isFloatingPointTy();
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

// Each step works on a vector of half the length, so the later steps use the short, cheap registers.
Value *emitReduce(const LaneContext &c, ReduceOp op, Value *v, Value *mask) {
  FixedOrder fixed(c.b);
  v = replaceInactive(c, op, v, mask);
  for (unsigned half = c.width / 2; half >= 1; half /= 2) {
    SmallVector<int, 32> low(half), high(half);
    for (unsigned lane = 0; lane < half; ++lane) {
      low[lane] = int(lane);
      high[lane] = int(lane + half);
    }
    v = emitReduceStep(c, op, c.b.CreateShuffleVector(v, low), c.b.CreateShuffleVector(v, high));
  }
  return c.b.CreateExtractElement(v, uint64_t(0), "reduced");
}

Value *emitScan(const LaneContext &c, ReduceOp op, Value *v, Value *mask, ScanKind kind) {
  FixedOrder fixed(c.b);
  Type *element = v->getType()->getScalarType();
  v = replaceInactive(c, op, v, mask);
  if (kind == ScanKind::Exclusive)
    v = shiftUp(c, v, 1, scanStart(op, element));
  for (unsigned distance = 1; distance < c.width; distance *= 2)
    v = emitReduceStep(c, op, shiftUp(c, v, distance, reduceIdentity(op, element)), v);
  return v;
}

} // namespace lanecl::vectorizer::lanes
