// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that are one scalar plus a constant of the lane: ids in a work-group of known size, and what is computed from
// them. Active lanes have exactly that sum, modulo the width of the type. What the sum is in an inactive lane the
// scalar says, too, so the first lane of a segment need not be active. Where a step needs that the sum does not wrap
// around, the scalar's known bits have to show it, and no flag of the lanes' operations.
#include "widen/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

using Steps = SmallVector<APInt, 32>;

Steps combined(const Steps &a, const Steps &b, function_ref<APInt(const APInt &, const APInt &)> operation) {
  Steps result;
  for (const auto &[x, y] : zip_equal(a, b))
    result.push_back(operation(x, y));
  return result;
}

Steps each(const Steps &steps, function_ref<APInt(const APInt &)> operation) {
  Steps result;
  for (const APInt &step : steps)
    result.push_back(operation(step));
  return result;
}

unsigned trailingZeros(Value *start, const DataLayout &layout) {
  return computeKnownBits(start, layout).countMinTrailingZeros();
}

// Whether start + steps[l], of unsigned numbers, is less than 2^(bits - spare) in every lane.
bool fits(Value *start, const Steps &steps, unsigned spare, const DataLayout &layout) {
  const unsigned bits = steps[0].getBitWidth();
  const APInt most = computeKnownBits(start, layout).getMaxValue(), limit = APInt::getMaxValue(bits).lshr(spare);
  return all_of(steps, [&](const APInt &step) { return step.ule(limit) && most.ule(limit - step); });
}

// Disjoint bits, which active lanes have, are added without carries.
bool isSum(const BinaryOperator &op) {
  const auto *disjoint = dyn_cast<PossiblyDisjointInst>(&op);
  return op.getOpcode() == Instruction::Add || op.getOpcode() == Instruction::Sub ||
         (disjoint != nullptr && disjoint->isDisjoint());
}

} // namespace

std::optional<Widener::FixedOffsets> Widener::fixedOffsets(Value *value, unsigned depth) {
  constexpr unsigned kDeepest = 8;
  if (!value->getType()->isIntegerTy() || depth == kDeepest)
    return std::nullopt;
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const Shape shape = shapeOf(value);
  if (shape.isLinear()) {
    FixedOffsets result{scalarOf(value), {}};
    for (unsigned lane = 0; lane < options.width; ++lane)
      result.steps.push_back(APInt(64, static_cast<uint64_t>(shape.stride()) * lane).sextOrTrunc(bits));
    return result;
  }
  if (auto *cast = dyn_cast<CastInst>(value))
    return castOffsets(*cast, depth + 1);
  if (auto *op = dyn_cast<BinaryOperator>(value))
    return isSum(*op) ? sumOffsets(*op, depth + 1) : scaledOffsets(*op, depth + 1);
  return std::nullopt;
}

std::optional<Widener::FixedOffsets> Widener::castOffsets(CastInst &cast, unsigned depth) {
  std::optional<FixedOffsets> x = fixedOffsets(cast.getOperand(0), depth);
  if (!x)
    return std::nullopt;
  const unsigned bits = cast.getType()->getIntegerBitWidth();
  const auto resized = [&](const APInt &step) { return step.zextOrTrunc(bits); };
  // Below half of the range both extensions are the same.
  if (isa<TruncInst>(cast) || (isa<SExtInst, ZExtInst>(cast) && fits(x->start, x->steps, /*spare=*/1, layout)))
    return FixedOffsets{b.CreateZExtOrTrunc(x->start, cast.getType()), each(x->steps, resized)};
  // No lane's number is negative if all are active, so the distance between two is the signed one.
  if (!isa<ZExtInst>(cast) || !cast.hasNonNeg() || mask != nullptr)
    return std::nullopt;
  const APInt first = x->steps[0];
  return FixedOffsets{b.CreateZExt(b.CreateAdd(x->start, b.getInt(first)), cast.getType()),
                      each(x->steps, [&](const APInt &step) { return (step - first).sext(bits); })};
}

std::optional<Widener::FixedOffsets> Widener::sumOffsets(BinaryOperator &op, unsigned depth) {
  std::optional<FixedOffsets> x = fixedOffsets(op.getOperand(0), depth), y = fixedOffsets(op.getOperand(1), depth);
  if (!x || !y)
    return std::nullopt;
  if (op.getOpcode() == Instruction::Sub)
    return FixedOffsets{b.CreateSub(x->start, y->start),
                        combined(x->steps, y->steps, [](const APInt &p, const APInt &q) { return p - q; })};
  return FixedOffsets{b.CreateAdd(x->start, y->start),
                      combined(x->steps, y->steps, [](const APInt &p, const APInt &q) { return p + q; })};
}

// With a constant. Bits that are zero in the scalar are those of the lane's constant, so both can be treated apart.
std::optional<Widener::FixedOffsets> Widener::scaledOffsets(BinaryOperator &op, unsigned depth) {
  const APInt *constant = nullptr;
  if (!match(op.getOperand(1), m_APInt(constant)))
    return std::nullopt;
  std::optional<FixedOffsets> x = fixedOffsets(op.getOperand(0), depth);
  if (!x)
    return std::nullopt;
  Value *factor = op.getOperand(1);
  const unsigned bits = constant->getBitWidth(), zeros = trailingZeros(x->start, layout);
  const bool below = all_of(x->steps, [&](const APInt &step) { return step.getActiveBits() <= zeros; });
  switch (op.getOpcode()) {
  case Instruction::Mul:
    return FixedOffsets{b.CreateMul(x->start, factor), each(x->steps, [&](const APInt &s) { return s * *constant; })};
  case Instruction::Shl:
    if (constant->uge(bits))
      return std::nullopt;
    return FixedOffsets{b.CreateShl(x->start, factor),
                        each(x->steps, [&](const APInt &s) { return s.shl(*constant); })};
  case Instruction::And:
    if (!below)
      return std::nullopt;
    return FixedOffsets{b.CreateAnd(x->start, factor), each(x->steps, [&](const APInt &s) { return s & *constant; })};
  case Instruction::Or: // what is set in the scalar stays, the rest is the lane's
    if (!below || constant->getActiveBits() > zeros)
      return std::nullopt;
    return FixedOffsets{x->start, each(x->steps, [&](const APInt &s) { return s | *constant; })};
  case Instruction::Xor:
    if (!below || constant->getActiveBits() > zeros)
      return std::nullopt;
    return FixedOffsets{x->start, each(x->steps, [&](const APInt &s) { return s ^ *constant; })};
  case Instruction::UDiv:
  case Instruction::URem: // rows of any length, from the work-group's first one on
    if (!match(x->start, m_ZeroInt()) || constant->isZero())
      return std::nullopt;
    return FixedOffsets{x->start, each(x->steps, [&](const APInt &s) {
                          return op.getOpcode() == Instruction::UDiv ? s.udiv(*constant) : s.urem(*constant);
                        })};
  case Instruction::LShr:
    if (!below || constant->uge(bits) || constant->ugt(zeros))
      return std::nullopt;
    return FixedOffsets{b.CreateLShr(x->start, factor),
                        each(x->steps, [&](const APInt &s) { return s.lshr(*constant); })};
  default: return std::nullopt;
  }
}

// The bytes from the result's start, a pointer.
std::optional<Widener::FixedOffsets> Widener::fixedAddress(Value *pointer) {
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
  SmallMapVector<Value *, APInt, 4> parts;
  APInt constant(bits, 0);
  Value *object = pointer;
  for (; !isUniform(object); object = cast<GetElementPtrInst>(object)->getPointerOperand()) {
    const auto *gep = dyn_cast<GetElementPtrInst>(object);
    if (gep == nullptr || !gep->collectOffset(layout, bits, parts, constant))
      return std::nullopt;
  }
  FixedOffsets result{b.CreatePtrAdd(scalarOf(object), b.getInt(constant)), Steps(options.width, APInt(bits, 0))};
  for (const auto &[index, scale] : parts) {
    std::optional<FixedOffsets> part = fixedOffsets(index, 0);
    if (!part || index->getType()->getIntegerBitWidth() > bits)
      return std::nullopt;
    // Indices are sign-extended; a narrow one must be the same number in 64 bits.
    if (index->getType()->getIntegerBitWidth() < bits && !fits(part->start, part->steps, /*spare=*/1, layout))
      return std::nullopt;
    Value *start = b.CreateZExt(part->start, b.getIntNTy(bits));
    result.start = b.CreatePtrAdd(result.start, b.CreateMul(start, b.getInt(scale)));
    result.steps = combined(result.steps, part->steps,
                            [&](const APInt &sum, const APInt &step) { return sum + step.zext(bits) * scale; });
  }
  return result;
}

} // namespace lanecl::vectorizer
