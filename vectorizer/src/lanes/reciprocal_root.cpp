#include "reciprocal_root.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

Value *estimate(const LaneContext &c, Value *x, unsigned lanes) {
  IRBuilderBase &b = c.b;
  if (lanes == 16)
    return b.CreateIntrinsic(Intrinsic::x86_avx512_rsqrt14_ps_512, {x, x, b.getInt16(0xffff)});
  return b.CreateIntrinsic(lanes == 8 ? Intrinsic::x86_avx_rsqrt_ps_256 : Intrinsic::x86_sse_rsqrt_ps, {x});
}

unsigned lanesOfRegister(const LaneContext &c) {
  const unsigned most = c.target.level == IsaLevel::Avx512 ? 16 : c.target.level == IsaLevel::Avx2 ? 8 : 4;
  return std::min(c.width, most);
}

} // namespace

Value *emitReciprocalRoot(const LaneContext &c, Value *x) {
  IRBuilderBase &b = c.b;
  const IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  const unsigned lanes = lanesOfRegister(c);
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < c.width; first += lanes)
    parts.push_back(estimate(c, b.CreateShuffleVector(x, createSequentialMask(first, lanes, 0)), lanes));
  Value *y = concatenateVectors(b, parts);
  const auto splat = [&](double value) { return ConstantFP::get(x->getType(), value); };
  // Newton's step, y * (1.5 - x / 2 * y^2). Where y is infinite or zero the factor is no number near one.
  Value *half_ratio = b.CreateFMul(b.CreateFMul(x, splat(-0.5)), y);
  Value *factor = b.CreateIntrinsic(Intrinsic::fmuladd, {x->getType()}, {half_ratio, y, splat(1.5)});
  return b.CreateSelect(b.CreateFCmpOGT(factor, splat(0.5)), b.CreateFMul(y, factor), y, "reciprocal.root");
}

} // namespace lanecl::vectorizer::lanes
