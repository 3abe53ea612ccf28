// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparisons. A guard such as `i < n` compares a number that rises from lane to lane with a uniform limit. The
// distance from lane 0's number to the limit tells how many lanes pass. That is one subtraction, whatever the width of
// the numbers.
#include "widen/widener.h"

#include "lanes/cross_lane/votes.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

void Widener::visitCmpInst(CmpInst &compare) {
  if (isUniform(&compare)) {
    cloneLinear(compare);
    return;
  }
  if (auto *guard = dyn_cast<ICmpInst>(&compare))
    if (Value *result = compareWithLimit(*guard)) {
      setLanes(compare, {result});
      return;
    }
  Values components;
  for (const auto &[x, y] : zip_equal(lanesOf(compare.getOperand(0)), lanesOf(compare.getOperand(1)))) {
    Value *result = b.CreateCmp(compare.getPredicate(), x, y, compare.getName());
    if (auto *widened = dyn_cast<FCmpInst>(result))
      widened->copyFastMathFlags(&compare);
    components.push_back(result);
  }
  setLanes(compare, std::move(components));
}

// Returns the mask of the lanes that pass, or null if the comparison is no such guard. Lane 0 has to belong to the
// rising numbers, active or not. Then an active lane l has lane 0's number plus l * stride, without wrap-around.
Value *Widener::compareWithLimit(ICmpInst &guard) {
  CmpInst::Predicate predicate = guard.getPredicate();
  Value *rising = guard.getOperand(0), *limit = guard.getOperand(1);
  if (isUniform(rising)) {
    std::swap(rising, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const Shape shape = shapeOf(rising);
  const Progression &numbers = shape.progression();
  const bool is_unsigned = CmpInst::isUnsigned(predicate);
  const bool known = is_unsigned ? numbers.is_unsigned : numbers.is_signed && numbers.signed_from_lane_0;
  constexpr int64_t kMostSteps = 127; // a signed byte holds every distance that counts
  if (!guard.isRelational() || !rising->getType()->isIntegerTy() || rising->getType()->isIntegerTy(1) ||
      !isUniform(limit) || !shape.isStrided() || !known || shape.stride() <= 0 ||
      shape.stride() * int64_t{options.width} > kMostSteps ||
      !isUIntN(rising->getType()->getIntegerBitWidth(), static_cast<uint64_t>(shape.stride()) * options.width))
    return nullptr;
  const bool inclusive = predicate == CmpInst::getNonStrictPredicate(predicate); // x <= limit or x >= limit
  const bool below = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  Value *passing = lanesBelow(scalarOf(rising), scalarOf(limit), shape.stride(), is_unsigned, below == inclusive);
  return below ? passing : b.CreateNot(passing);
}

// Returns i1 true only if all lanes pass, active or not. It may be false though they all pass. If numbers rise or fall
// from the first lane to the last without wrap-around and both of these lanes pass, all lanes between them pass, too.
Value *Widener::allPass(Value *condition) {
  if (isUniform(condition))
    return scalarOf(condition);
  auto *guard = dyn_cast<ICmpInst>(condition);
  Value *moving = guard != nullptr ? guard->getOperand(isUniform(guard->getOperand(0)) ? 1 : 0) : nullptr;
  const Shape shape = moving != nullptr ? shapeOf(moving) : Shape::varying();
  if (!shape.isStrided() || !guard->isRelational() || !moving->getType()->isIntegerTy())
    return lanes::emitAllActive(c, laneOf(condition), mask);
  Value *other = guard->getOperand(moving == guard->getOperand(0) ? 1 : 0);
  if (!isUniform(other))
    return lanes::emitAllActive(c, laneOf(condition), mask);
  const int64_t span = shape.stride() * (int64_t{options.width} - 1);
  const unsigned bits = moving->getType()->getIntegerBitWidth();
  if (!isIntN(bits - 1, span))
    return b.getFalse();
  Value *first = scalarOf(moving), *limit = scalarOf(other);
  Value *last = b.CreateAdd(first, ConstantInt::getSigned(first->getType(), span));
  const bool is_signed = guard->isSigned(), rises = span > 0;
  Value *ordered = is_signed ? b.CreateICmpSLE(rises ? first : last, rises ? last : first)
                             : b.CreateICmpULE(rises ? first : last, rises ? last : first);
  const CmpInst::Predicate predicate =
      moving == guard->getOperand(0) ? guard->getPredicate() : guard->getSwappedPredicate();
  const bool below = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  Value *farthest = below == rises ? last : first;
  return b.CreateAnd(ordered, b.CreateICmp(predicate, farthest, limit), "all.pass");
}

// Returns the mask of the lanes l with first + l * stride < limit, or <= limit if `or_equal`.
Value *Widener::lanesBelow(Value *first, Value *limit, int64_t stride, bool is_unsigned, bool or_equal) {
  const auto number = [&](int64_t value) { return ConstantInt::get(first->getType(), value); };
  const int64_t end = stride * options.width;
  assert(stride > 0 && end <= INT8_MAX && "a signed byte holds every distance that counts");
  assert(isUIntN(first->getType()->getIntegerBitWidth(), static_cast<uint64_t>(end)) &&
         "the distance has the number's type");
  CmpInst::Predicate any = is_unsigned ? CmpInst::ICMP_UGT : CmpInst::ICMP_SGT;
  if (or_equal)
    any = CmpInst::getNonStrictPredicate(any);
  // The distance is not negative where it counts, so it is taken as an unsigned number.
  Value *distance = b.CreateSub(limit, first);
  Value *most = number(or_equal ? end - 1 : end);
  distance = b.CreateSelect(b.CreateICmpULT(distance, most), distance, most);
  if (or_equal)
    distance = b.CreateAdd(distance, number(1));
  distance = b.CreateSelect(b.CreateICmp(any, limit, first), distance, number(0));
  // Bytes are used where a comparison of bytes gives one mask bit each (AVX-512), otherwise the element size that masks
  // mostly have.
  const bool bytes = options.target.level == lanes::IsaLevel::Avx512 && options.width >= 16;
  Type *type = bytes ? b.getInt8Ty() : b.getInt32Ty();
  SmallVector<Constant *, 64> steps;
  for (int64_t lane = 0; lane < int64_t{options.width}; ++lane)
    steps.push_back(ConstantInt::get(type, lane * stride));
  Value *splat = b.CreateVectorSplat(options.width, b.CreateZExtOrTrunc(distance, type));
  return b.CreateICmpSGT(splat, ConstantVector::get(steps), "below");
}

} // namespace lanecl::vectorizer
