// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/lane_segments.h"

#include "analysis/values/safe_divisor.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// Computes the guess for a value from the guesses for its operands.
class Guess {
public:
  Guess(const ShapeInfo &shapes, unsigned width) : shapes(shapes), width(width) {}

  LaneSegments of(const Value &value) {
    const Shape shape = shapes.shapeOf(&value);
    if (shape.isUniform())
      return {width, 0};
    if (shape.isStrided())
      return {width, shape.stride()};
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (instruction == nullptr || steps == kMostSteps)
      return {};
    ++steps;
    if (const auto *op = dyn_cast<BinaryOperator>(instruction))
      return ofOperation(*op);
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst, AddrSpaceCastInst>(instruction))
      return of(*instruction->getOperand(0));
    if (const auto *gep = dyn_cast<GEPOperator>(instruction))
      return ofAddress(*gep);
    // A clamp to a border: most lanes are inside and keep the value.
    if (const auto *limit = dyn_cast<MinMaxIntrinsic>(instruction))
      return eitherOf(*limit->getLHS(), *limit->getRHS());
    if (const auto *select = dyn_cast<SelectInst>(instruction)) {
      const BinaryOperator *division = divisionBehind(*select);
      return division ? ofOperation(*division) : eitherOf(*select->getTrueValue(), *select->getFalseValue());
    }
    return {};
  }

private:
  static constexpr unsigned kMostSteps = 24;
  // The segment that is assumed if the number of low bits is unknown: longer segments are seldom one access.
  static constexpr unsigned kOfUnknownBits = 16;

  // Two values that rise in segments add up to one that rises in the shorter of the segments.
  static LaneSegments sum(const LaneSegments &a, const LaneSegments &b, int64_t sign = 1) {
    return {std::min(a.lanes, b.lanes), a.stride + sign * b.stride};
  }

  // Returns the guess for the operand that changes from lane to lane, if one of them is uniform within segments.
  LaneSegments eitherOf(const Value &a, const Value &b) {
    const LaneSegments first = of(a), second = of(b);
    return first.lanes == 0 || (first.stride == 0 && second.lanes != 0) ? second : first;
  }

  LaneSegments ofOperation(const BinaryOperator &op) {
    const LaneSegments a = of(*op.getOperand(0)), b = of(*op.getOperand(1));
    if (a.lanes == 0 || b.lanes == 0)
      return {};
    switch (op.getOpcode()) {
    case Instruction::Add:
    case Instruction::Or: return sum(a, b);
    case Instruction::Sub: return sum(a, b, -1);
    case Instruction::Xor: return flipped(a, b, *op.getOperand(1));
    case Instruction::Mul: return product(a, b, op);
    case Instruction::Shl: return product(a, b, op);
    default: break;
    }
    if (b.stride != 0)
      return {};
    switch (op.getOpcode()) {
    case Instruction::And: return masked(a, b, *op.getOperand(1));
    case Instruction::URem:
    case Instruction::SRem: return {partOf(a, b, *op.getOperand(1)), a.stride};
    case Instruction::UDiv:
    case Instruction::SDiv: return {a.stride == 1 ? partOf(a, b, *op.getOperand(1)) : std::min(a.lanes, b.lanes), 0};
    case Instruction::LShr:
    case Instruction::AShr: return shifted(a, b, *op.getOperand(1));
    default: return {};
    }
  }

  // The segments of a quotient or remainder by `divisor`. Rows of a constant power-of-two length start where segments
  // start. Rows of another length mostly start within a segment; the run-time test finds those.
  static unsigned partOf(const LaneSegments &a, const LaneSegments &b, const Value &divisor) {
    const APInt *length = nullptr;
    const unsigned lanes = std::min(a.lanes, b.lanes);
    if (!match(&divisor, m_APInt(length)) || !length->isPowerOf2() || a.stride != 1)
      return lanes;
    return static_cast<unsigned>(length->getLimitedValue(lanes));
  }

  // The segments of a shift to the right: `lane >> 3` is constant in segments of 8 lanes.
  static LaneSegments shifted(const LaneSegments &a, const LaneSegments &b, const Value &amount) {
    const APInt *bits = nullptr;
    if (a.stride != 1 || !match(&amount, m_APInt(bits)))
      return {std::min(a.lanes, b.lanes), 0};
    return {static_cast<unsigned>(std::min<uint64_t>(a.lanes, uint64_t{1} << bits->getLimitedValue(31))), 0};
  }

  // The segments of `a & mask`. A mask of low bits gives a remainder (`lane & 7`), and a mask without low bits gives a
  // multiple of a power of two (`lane & ~7`).
  static LaneSegments masked(const LaneSegments &a, const LaneSegments &b, const Value &mask) {
    const APInt *bits = nullptr;
    if (a.stride == 0)
      return {std::min(a.lanes, b.lanes), 0};
    if (a.stride != 1)
      return {};
    if (!match(&mask, m_APInt(bits))) // `distance - 1`, mostly for a large power of two
      return {std::min({a.lanes, b.lanes, kOfUnknownBits}), 1};
    const auto segment = [&](unsigned low_bits) {
      return static_cast<unsigned>(std::min<uint64_t>(a.lanes, uint64_t{1} << std::min(low_bits, 31U)));
    };
    if (bits->isMask())
      return {segment(bits->countr_one()), 1};
    if (const unsigned zeros = bits->countr_zero(); zeros != 0)
      return {segment(zeros), 0};
    return {};
  }

  // The segments of `a ^ bits`. Lanes stay neighbors below the lowest bit that is flipped. If the bits are known only
  // at launch, kOfUnknownBits lanes are assumed.
  LaneSegments flipped(const LaneSegments &a, const LaneSegments &b, const Value &bits) {
    const APInt *known = nullptr;
    if (b.stride != 0 && a.stride != 0)
      return {};
    const LaneSegments &moving = a.stride != 0 ? a : b;
    const unsigned lanes = std::min(a.lanes, b.lanes);
    if (!match(&bits, m_APInt(known)))
      return {std::min(lanes, kOfUnknownBits), moving.stride};
    return {static_cast<unsigned>(std::min<uint64_t>(lanes, uint64_t{1} << std::min(known->countr_zero(), 31U))),
            moving.stride};
  }

  // A product by a constant scales the stride. A product of two values that are constant in segments is constant, too.
  LaneSegments product(const LaneSegments &a, const LaneSegments &b, const BinaryOperator &op) {
    const unsigned lanes = std::min(a.lanes, b.lanes);
    const APInt *factor = nullptr;
    if (a.stride == 0 && b.stride == 0)
      return {lanes, 0};
    if (!match(op.getOperand(1), m_APInt(factor)) || factor->getSignificantBits() > 32)
      return {};
    const int64_t times =
        op.getOpcode() == Instruction::Shl ? int64_t{1} << factor->getLimitedValue(31) : factor->getSExtValue();
    return {lanes, a.stride * times};
  }

  // The offset of an address is a sum of scaled indices.
  LaneSegments ofAddress(const GEPOperator &gep) {
    const DataLayout &layout = cast<Instruction>(gep).getDataLayout();
    SmallMapVector<Value *, APInt, 4> parts;
    APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
    if (!gep.collectOffset(layout, constant.getBitWidth(), parts, constant))
      return {};
    LaneSegments result = of(*gep.getPointerOperand());
    for (const auto &[index, scale] : parts) {
      LaneSegments part = of(*index);
      part.stride *= scale.getSExtValue();
      result = sum(result, part);
    }
    return result;
  }

  const ShapeInfo &shapes;
  unsigned width, steps = 0;
};

} // namespace

LaneSegments guessSegments(const Value &value, const ShapeInfo &shapes, unsigned width) {
  const LaneSegments result = Guess(shapes, width).of(value);
  assert((result.lanes == 0 || isPowerOf2_32(result.lanes)) && result.lanes <= width &&
         "segments divide the sub-group");
  return result.lanes > 1 ? result : LaneSegments{};
}

} // namespace lanecl::vectorizer
