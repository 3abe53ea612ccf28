// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparisons. A guard such as `i < n` compares what rises from lane to lane with what all lanes share: the distance
// between lane 0 and the limit says how many lanes pass, in one subtraction, whatever the width of the numbers.
#include "widen/widener.h"

#include "lanes/cross_lane/votes.h"

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
  for (const auto &[x, y] : zip(lanesOf(compare.getOperand(0)), lanesOf(compare.getOperand(1)))) {
    Value *result = b.CreateCmp(compare.getPredicate(), x, y, compare.getName());
    if (auto *widened = dyn_cast<FCmpInst>(result))
      widened->copyFastMathFlags(&compare);
    components.push_back(result);
  }
  setLanes(compare, std::move(components));
}

// Null when the comparison is no such guard. Lane 0 has to belong to the rising numbers, active or not: then an active
// lane l has lane 0's number plus l * stride, without wrap-around.
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
      shape.stride() * int64_t{options.width} > kMostSteps)
    return nullptr;
  const bool inclusive = predicate == CmpInst::getNonStrictPredicate(predicate); // x <= limit, and not x > limit
  const bool below = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  Value *passing = lanesBelow(scalarOf(rising), scalarOf(limit), shape.stride(), is_unsigned, below == inclusive);
  return below ? passing : b.CreateNot(passing);
}

// Whether all lanes pass, active or not, or false. Numbers that rise or fall without wrap-around from the first lane to
// the last pass between them if both do.
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

// The mask of the lanes l with first + l * stride < limit; `or_equal`: <= limit.
Value *Widener::lanesBelow(Value *first, Value *limit, int64_t stride, bool is_unsigned, bool or_equal) {
  const auto number = [&](int64_t value) { return ConstantInt::get(first->getType(), value); };
  const int64_t end = stride * options.width;
  CmpInst::Predicate any = is_unsigned ? CmpInst::ICMP_UGT : CmpInst::ICMP_SGT;
  if (or_equal)
    any = CmpInst::getNonStrictPredicate(any);
  Value *distance = b.CreateSub(limit, first); // not negative where it counts, so it is an unsigned number
  Value *most = number(or_equal ? end - 1 : end);
  distance = b.CreateSelect(b.CreateICmpULT(distance, most), distance, most);
  if (or_equal)
    distance = b.CreateAdd(distance, number(1));
  distance = b.CreateSelect(b.CreateICmp(any, limit, first), distance, number(0));
  // Bytes where a comparison gives a bit for each, else the size that masks mostly have.
  const bool bytes = options.target.level == lanes::IsaLevel::Avx512 && options.width >= 16;
  Type *type = bytes ? b.getInt8Ty() : b.getInt32Ty();
  SmallVector<Constant *, 64> steps;
  for (int64_t lane = 0; lane < int64_t{options.width}; ++lane)
    steps.push_back(ConstantInt::get(type, lane * stride));
  Value *splat = b.CreateVectorSplat(options.width, b.CreateZExtOrTrunc(distance, type));
  return b.CreateICmpSGT(splat, ConstantVector::get(steps), "below");
}

} // namespace lanecl::vectorizer
