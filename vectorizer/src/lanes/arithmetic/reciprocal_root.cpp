// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/arithmetic/reciprocal_root.h"

#include "lanes/cross_lane/votes.h"
#include "lanes/loop.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

bool isAvx512(const LaneContext &c) {
  return c.target.level == IsaLevel::Avx512;
}

// Returns the estimate of AVX-512 for one register of `lanes` floats.
Value *estimateMasked(const LaneContext &c, Value *x, unsigned lanes) {
  IRBuilderBase &b = c.b;
  const Intrinsic::ID estimate = lanes == 16  ? Intrinsic::x86_avx512_rsqrt14_ps_512
                                 : lanes == 8 ? Intrinsic::x86_avx512_rsqrt14_ps_256
                                              : Intrinsic::x86_avx512_rsqrt14_ps_128;
  return b.CreateIntrinsic(estimate, {x, x, lanes == 16 ? b.getInt16(0xffff) : b.getInt8(0xff)});
}

// Returns the processor's estimate for one register of `lanes` floats.
Value *estimate(const LaneContext &c, Value *x, unsigned lanes) {
  if (isAvx512(c))
    return estimateMasked(c, x, lanes);
  return c.b.CreateIntrinsic(lanes == 8 ? Intrinsic::x86_avx_rsqrt_ps_256 : Intrinsic::x86_sse_rsqrt_ps, {x});
}

// Improves the estimate y by one step of Newton's method, y * (1.5 - x / 2 * y^2). The factor in parentheses is near
// one unless y is infinite or zero, so `near_one` tells where the step is valid. The term is computed as (x * y) * (-y
// / 2): x * y, which is the root, is far from denormal if x is not, and halving y is exact. Halving a denormal x would
// not be exact.
struct NewtonStep {
  Value *root, *near_one;
};
NewtonStep newtonStep(const LaneContext &c, Value *x, Value *y) {
  IRBuilderBase &b = c.b;
  const auto splat = [&](double value) { return ConstantFP::get(x->getType(), value); };
  Value *factor = b.CreateIntrinsic(Intrinsic::fmuladd, {x->getType()},
                                    {b.CreateFMul(x, y), b.CreateFMul(y, splat(-0.5)), splat(1.5)});
  return {b.CreateFMul(y, factor), b.CreateFCmpOGT(factor, splat(0.5))};
}

// Returns the step's result where it is valid and the exact quotient elsewhere. The quotient is computed after a branch
// that is taken only if some lane needs it.
Value *divideElsewhere(const LaneContext &c, Value *x, const NewtonStep &step) {
  IRBuilderBase &b = c.b;
  // Inactive lanes may be poison, and branching on poison is undefined.
  Value *near_one = b.CreateFreeze(step.near_one), *all = emitAll(c, near_one);
  BasicBlock *done = splitForContinuation(b, "reciprocal.done"), *before = b.GetInsertBlock();
  BasicBlock *elsewhere = BasicBlock::Create(b.getContext(), "reciprocal.divided", before->getParent(), done);
  b.CreateCondBr(all, done, elsewhere, MDBuilder(b.getContext()).createLikelyBranchWeights());
  const DebugLoc location = b.getCurrentDebugLocation();
  b.SetInsertPoint(elsewhere);
  Value *quotient = b.CreateFDiv(ConstantFP::get(x->getType(), 1), b.CreateUnaryIntrinsic(Intrinsic::sqrt, x));
  Value *root = b.CreateSelect(near_one, step.root, quotient);
  b.CreateBr(done);
  b.SetInsertPoint(done, done->begin()); // changes the builder's source location
  b.SetCurrentDebugLocation(location);
  PHINode *result = b.CreatePHI(x->getType(), 2, "reciprocal.root");
  result->addIncoming(step.root, before);
  result->addIncoming(root, elsewhere);
  return result;
}

} // namespace

Value *emitReciprocalRoot(const LaneContext &c, Value *x) {
  assert(hasLanes(c, x) && x->getType()->getScalarType()->isFloatTy() && "the estimates are of floats");
  IRBuilderBase &b = c.b;
  const IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  const unsigned lanes = std::min(c.width, c.target.registerBits() / 32);
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < c.width; first += lanes)
    parts.push_back(estimate(c, b.CreateShuffleVector(x, createSequentialMask(first, lanes, 0)), lanes));
  Value *y = concatenateVectors(b, parts);
  const NewtonStep step = newtonStep(c, x, y);
  if (isAvx512(c)) // AVX-512's estimate handles denormals; those of SSE and AVX treat them as zeros
    return b.CreateSelect(step.near_one, step.root, y, "reciprocal.root");
  return divideElsewhere(c, x, step);
}

} // namespace lanecl::vectorizer::lanes
