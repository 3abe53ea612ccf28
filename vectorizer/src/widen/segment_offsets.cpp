// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Some steps need a proof that a sum does not wrap around. Either known bits of the scalar prove it, or flags of the
// operations do. Flags hold for active lanes only, so they never justify extending a result. They only justify
// extending the operands and repeating the operation in the wider type, where every scalar is exact whichever lanes are
// active.
#include "widen/segment_offsets.h"

#include "analysis/functions/primitives.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

using Steps = SmallVector<APInt, 32>;

// Applies an operation to the step of each lane.
template <typename Operation> Steps each(const Steps &steps, Operation operation) {
  Steps result;
  for (const APInt &step : steps)
    result.push_back(operation(step));
  return result;
}

// Applies an operation to the starts of each segment. A single start stands for all segments.
template <typename Operation>
SmallVector<Value *, 4> eachStart(ArrayRef<Value *> x, ArrayRef<Value *> y, Operation operation) {
  SmallVector<Value *, 4> result;
  const size_t count = std::max(x.size(), y.size());
  assert((x.size() == count || x.size() == 1) && (y.size() == count || y.size() == 1) && "segments of one length");
  for (size_t i = 0; i < count; ++i)
    result.push_back(operation(x[x.size() == 1 ? 0 : i], y[y.size() == 1 ? 0 : i]));
  return result;
}

template <typename Operation> SmallVector<Value *, 4> eachStart(ArrayRef<Value *> x, Operation operation) {
  return eachStart(x, x, [&](Value *start, Value *) { return operation(start); });
}

// Returns how many low bits are zero in all starts.
unsigned trailingZeros(const FixedOffsets &x, const DataLayout &layout) {
  unsigned fewest = x.steps[0].getBitWidth();
  for (Value *start : x.starts)
    fewest = std::min(fewest, computeKnownBits(start, layout).countMinTrailingZeros());
  return fewest;
}

// Whether start + steps[l], as an unsigned number, is less than half of the range in every lane.
bool isSmall(const FixedOffsets &x, const DataLayout &layout) {
  const APInt limit = APInt::getSignedMaxValue(x.steps[0].getBitWidth());
  for (Value *start : x.starts) {
    const APInt most = computeKnownBits(start, layout).getMaxValue();
    if (!all_of(x.steps, [&](const APInt &step) { return step.ule(limit) && most.ule(limit - step); }))
      return false;
  }
  return true;
}

// Whether the operation is an `or` of disjoint bits, which adds without carries in active lanes.
bool isDisjoint(const BinaryOperator &op) {
  const auto *disjoint = dyn_cast<PossiblyDisjointInst>(&op);
  return disjoint != nullptr && disjoint->isDisjoint();
}

// An induction variable whose step is the same in all lanes.
struct Rising {
  Value *start;
  Value *step;
  BinaryOperator *next; // the number plus the step, in each iteration
};

// Returns the parts of such a phi.
std::optional<Rising> risingNumber(PHINode &phi, const ShapeInfo &shapes) {
  if (phi.getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    Value *step = nullptr, *next = phi.getIncomingValue(i);
    if (match(next, m_c_Add(m_Specific(&phi), m_Value(step))) && shapes.shapeOf(step).isUniform())
      return Rising{phi.getIncomingValue(1 - i), step, cast<BinaryOperator>(next)};
  }
  return std::nullopt;
}

bool isSum(const BinaryOperator &op) {
  return op.getOpcode() == Instruction::Add || op.getOpcode() == Instruction::Sub || isDisjoint(op);
}

// Returns how many low bits of lane 0's value are zero. They are read from the scalar kernel, because the phis of the
// widened loops are still incomplete.
unsigned zerosOfFirstLane(Value &value, const ShapeInfo &shapes, unsigned steps = 8) {
  const auto of = [&](Value *operand) { return zerosOfFirstLane(*operand, shapes, steps - 1); };
  const unsigned bits = value.getType()->getIntegerBitWidth();
  auto *instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || shapes.shapeOf(&value).isUniform())
    return computeKnownBits(&value, instruction != nullptr ? instruction->getDataLayout() : DataLayout())
        .countMinTrailingZeros();
  if (steps == 0)
    return 0;
  if (const auto *call = dyn_cast<CallInst>(instruction))
    return primitiveOf(*call) == Primitive::LaneId ? bits : 0;
  if (isa<SExtInst, ZExtInst, TruncInst>(instruction))
    return std::min(of(instruction->getOperand(0)), bits);
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    const std::optional<Rising> rising = risingNumber(*phi, shapes);
    return rising ? std::min(of(rising->start), of(rising->step)) : 0;
  }
  switch (instruction->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or: return std::min(of(instruction->getOperand(0)), of(instruction->getOperand(1)));
  case Instruction::Mul: return std::min(bits, of(instruction->getOperand(0)) + of(instruction->getOperand(1)));
  default: return 0;
  }
}

} // namespace

// Returns the form of a uniform value.
FixedOffsets SegmentOffsets::uniform(Value *scalar) const {
  return {{scalar}, Steps(source.width, APInt(scalar->getType()->getIntegerBitWidth(), 0))};
}

// Combines two conditions, of which null stands for true.
Value *SegmentOffsets::both(Value *a, Value *c) {
  if (a == nullptr || c == nullptr)
    return a != nullptr ? a : c;
  return b.CreateAnd(a, c);
}

// Returns the form of an integer, without an extension.
std::optional<FixedOffsets> SegmentOffsets::of(Value &value) {
  if (!value.getType()->isIntegerTy() || steps_left == 0)
    return std::nullopt;
  --steps_left;
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const Shape shape = source.shapes.shapeOf(&value); shape.isLinear()) {
    FixedOffsets result = uniform(shape.isUniform() ? source.scalar_of(&value) : firstLane(value));
    for (unsigned lane = 0; lane < source.width; ++lane)
      result.steps[lane] = APInt(64, static_cast<uint64_t>(shape.stride()) * lane).sextOrTrunc(bits);
    return result;
  }
  if (auto *cast = dyn_cast<CastInst>(&value))
    return ofCast(*cast);
  if (auto *op = dyn_cast<BinaryOperator>(&value))
    return ofOperation(*op);
  if (auto *phi = dyn_cast<PHINode>(&value))
    return ofPhi(*phi);
  return std::nullopt;
}

// Returns lane 0's value of a strided value. If zerosOfFirstLane() knows zero bits that LLVM cannot see in the
// incomplete function, an `and` states them; LLVM removes it later.
Value *SegmentOffsets::firstLane(Value &value) {
  Value *first = source.scalar_of(&value);
  const unsigned bits = first->getType()->getIntegerBitWidth(), zeros = zerosOfFirstLane(value, source.shapes);
  if (zeros <= computeKnownBits(first, b.GetInsertBlock()->getDataLayout()).countMinTrailingZeros())
    return first;
  return b.CreateAnd(first, b.getInt(APInt::getBitsSetFrom(bits, zeros)));
}

// While all lanes are in a loop together, the distances between their numbers stay what they were before it. So lane
// 0's number in this iteration and the first steps give the form.
std::optional<FixedOffsets> SegmentOffsets::ofPhi(PHINode &phi) {
  const std::optional<Rising> rising = risingNumber(phi, source.shapes);
  Value *first = rising ? source.first_lane_of(&phi) : nullptr;
  const Offsets start = first != nullptr ? of(*rising->start) : std::nullopt;
  assert((first == nullptr || first->getType() == phi.getType()) && "the first lane's number is one of the phi");
  if (!start || start->starts.size() != 1 || start->holds != nullptr)
    return std::nullopt;
  return FixedOffsets{{b.CreateSub(first, b.getInt(start->steps[0]))}, start->steps};
}

std::optional<FixedOffsets> SegmentOffsets::ofCast(CastInst &cast) {
  Value &narrow = *cast.getOperand(0);
  if (isa<SExtInst>(cast))
    return extended(narrow, Extension::Sign, *cast.getType());
  if (isa<ZExtInst>(cast))
    return extended(narrow, cast.hasNonNeg() ? Extension::Any : Extension::Zero, *cast.getType());
  Offsets x = isa<TruncInst>(cast) ? of(narrow) : std::nullopt;
  if (!x)
    return std::nullopt;
  const unsigned bits = cast.getType()->getIntegerBitWidth();
  return FixedOffsets{eachStart(x->starts, [&](Value *start) { return b.CreateTrunc(start, cast.getType()); }),
                      each(x->steps, [&](const APInt &step) { return step.trunc(bits); }), x->holds};
}

std::optional<FixedOffsets> SegmentOffsets::ofOperation(BinaryOperator &op) {
  if (const APInt *constant = nullptr; !isSum(op) && match(op.getOperand(1), m_APInt(constant)))
    return scaled(op);
  if (!isSum(op) && op.getOpcode() != Instruction::Mul)
    return std::nullopt;
  Offsets x = of(*op.getOperand(0)), y = x ? of(*op.getOperand(1)) : std::nullopt;
  return y ? combined(op, *x, *y) : std::nullopt;
}

// Combines a sum or a product, in the width of the operands.
std::optional<FixedOffsets> SegmentOffsets::combined(BinaryOperator &op, const FixedOffsets &x, const FixedOffsets &y) {
  if (op.getOpcode() == Instruction::Mul)
    return product(x, y);
  const bool minus = op.getOpcode() == Instruction::Sub;
  FixedOffsets result{
      eachStart(x.starts, y.starts, [&](Value *p, Value *q) { return minus ? b.CreateSub(p, q) : b.CreateAdd(p, q); }),
      {},
      both(x.holds, y.holds)};
  for (const auto &[p, q] : zip_equal(x.steps, y.steps))
    result.steps.push_back(minus ? p - q : p + q);
  return result;
}

// Multiplies two numbers. If one factor is a constant, it scales the steps. Otherwise both factors have to be the same
// for all lanes of a segment.
std::optional<FixedOffsets> SegmentOffsets::product(FixedOffsets x, FixedOffsets y) {
  const auto constant = [](const FixedOffsets &v) {
    const auto *number = v.starts.size() == 1 ? dyn_cast<ConstantInt>(v.starts[0]) : nullptr;
    return number != nullptr && all_equal(v.steps) ? std::optional(number->getValue() + v.steps[0]) : std::nullopt;
  };
  if (constant(x))
    std::swap(x, y);
  if (const std::optional<APInt> factor = constant(y))
    return FixedOffsets{eachStart(x.starts, [&](Value *start) { return b.CreateMul(start, b.getInt(*factor)); }),
                        each(x.steps, [&](const APInt &step) { return step * *factor; }), both(x.holds, y.holds)};
  startInFirstLanes(x);
  startInFirstLanes(y);
  const auto rises = [](const FixedOffsets &v) { return any_of(v.steps, [](const APInt &step) { return step != 0; }); };
  if (rises(x) || rises(y))
    return std::nullopt;
  return FixedOffsets{eachStart(x.starts, y.starts, [&](Value *p, Value *q) { return b.CreateMul(p, q); }), x.steps,
                      both(x.holds, y.holds)};
}

// Moves the steps of each segment's first lane into the starts, so that the steps within each segment start with 0.
void SegmentOffsets::startInFirstLanes(FixedOffsets &offsets) {
  assert((offsets.starts.size() == 1 || offsets.starts.size() * segment == source.width) &&
         "a start for each segment, or one for all lanes");
  if (all_equal(offsets.steps) && offsets.steps[0] == 0)
    return;
  SmallVector<Value *, 4> starts;
  for (unsigned lane = 0; lane < source.width; lane += segment)
    starts.push_back(b.CreateAdd(offsets.startOf(lane), b.getInt(offsets.steps[lane])));
  const Steps old = offsets.steps;
  for (unsigned lane = 0; lane < source.width; ++lane)
    offsets.steps[lane] -= old[lane - lane % segment];
  offsets.starts = std::move(starts);
}

// Handles an operation with a constant. If the steps only have bits that are zero in every start, a bitwise operation
// can treat start and step separately.
std::optional<FixedOffsets> SegmentOffsets::scaled(BinaryOperator &op) {
  const APInt constant = cast<ConstantInt>(op.getOperand(1))->getValue();
  Offsets x = of(*op.getOperand(0));
  if (!x)
    return std::nullopt;
  assert(x->steps[0].getBitWidth() == constant.getBitWidth() && "the steps have the width of the operand");
  const DataLayout &layout = op.getDataLayout();
  const unsigned bits = constant.getBitWidth(), zeros = trailingZeros(*x, layout);
  const bool below = all_of(x->steps, [&](const APInt &step) { return step.getActiveBits() <= zeros; });
  const bool apart = below && constant.getActiveBits() <= zeros;
  const auto result = [&](auto &&of_start, auto &&of_step) {
    return FixedOffsets{eachStart(x->starts, of_start), each(x->steps, of_step), x->holds};
  };
  const auto same = [](Value *start) { return start; };
  switch (op.getOpcode()) {
  case Instruction::Mul:
    return result([&](Value *start) { return b.CreateMul(start, b.getInt(constant)); },
                  [&](const APInt &s) { return s * constant; });
  case Instruction::Shl:
    if (constant.uge(bits))
      return std::nullopt;
    return result([&](Value *start) { return b.CreateShl(start, b.getInt(constant)); },
                  [&](const APInt &s) { return s.shl(constant); });
  case Instruction::And:
    if (!below)
      return std::nullopt;
    return result([&](Value *start) { return b.CreateAnd(start, b.getInt(constant)); },
                  [&](const APInt &s) { return s & constant; });
  // Bits that are set in the start stay, and the others are the lane's.
  case Instruction::Or:
    if (!apart)
      return std::nullopt;
    return result(same, [&](const APInt &s) { return s | constant; });
  case Instruction::Xor:
    if (!apart)
      return std::nullopt;
    return result(same, [&](const APInt &s) { return s ^ constant; });
  case Instruction::UDiv:
  // Only for numbers that start at zero: rows of any length, from the first row of the work-group on.
  case Instruction::URem:
    if (x->starts.size() != 1 || !match(x->starts[0], m_ZeroInt()) || constant.isZero())
      return std::nullopt;
    return result(same, [&](const APInt &s) {
      return op.getOpcode() == Instruction::UDiv ? s.udiv(constant) : s.urem(constant);
    });
  case Instruction::LShr:
    if (!below || constant.uge(bits))
      return std::nullopt;
    return result([&](Value *start) { return b.CreateLShr(start, b.getInt(constant)); },
                  [&](const APInt &s) { return s.lshr(constant); });
  default: return std::nullopt;
  }
}

// Returns the form of a value's extension to `wide`. If flags allow, the operands are extended instead of the result.
std::optional<FixedOffsets> SegmentOffsets::extended(Value &value, Extension how, Type &wide) {
  assert(wide.getIntegerBitWidth() > value.getType()->getIntegerBitWidth() && "an extension makes a value wider");
  if (steps_left == 0)
    return std::nullopt;
  if (source.shapes.shapeOf(&value).isUniform())
    return uniform(b.CreateIntCast(source.scalar_of(&value), &wide, how == Extension::Sign));
  if (auto *cast = dyn_cast<ZExtInst>(&value)) {
    --steps_left;
    return extended(*cast->getOperand(0), cast->hasNonNeg() ? Extension::Any : Extension::Zero, wide);
  }
  if (auto *cast = dyn_cast<SExtInst>(&value); cast != nullptr && how != Extension::Zero) {
    --steps_left;
    return extended(*cast->getOperand(0), how, wide);
  }
  --steps_left;
  if (auto *phi = dyn_cast<PHINode>(&value))
    if (Offsets exact = extendedPhi(*phi, how, wide))
      return exact;
  if (auto *op = dyn_cast<BinaryOperator>(&value))
    if (Offsets exact = extendedOperation(*op, how, wide))
      return exact;
  Offsets narrow = of(value);
  return narrow ? extendedResult(*narrow, how, wide) : std::nullopt;
}

// Extends an induction variable by extending its start: its numbers do not wrap around where the flags of its increment
// say so.
std::optional<FixedOffsets> SegmentOffsets::extendedPhi(PHINode &phi, Extension how, Type &wide) {
  const std::optional<Rising> rising = risingNumber(phi, source.shapes);
  if (!rising)
    return std::nullopt;
  const bool is_signed = how != Extension::Zero && rising->next->hasNoSignedWrap();
  if (!is_signed && (how == Extension::Sign || !rising->next->hasNoUnsignedWrap()))
    return std::nullopt;
  Value *first = source.first_lane_of(&phi);
  const Extension extension = is_signed ? Extension::Sign : Extension::Zero;
  const Offsets start = first != nullptr ? extended(*rising->start, extension, wide) : std::nullopt;
  if (!start || start->starts.size() != 1 || start->holds != nullptr)
    return std::nullopt;
  return FixedOffsets{{b.CreateSub(b.CreateIntCast(first, &wide, is_signed), b.getInt(start->steps[0]))}, start->steps};
}

// Repeats the operation on extended operands, where it cannot wrap around. If its flags say that the narrow operation
// does not wrap around in an active lane, both give the same number.
std::optional<FixedOffsets> SegmentOffsets::extendedOperation(BinaryOperator &op, Extension how, Type &wide) {
  const bool disjoint = isDisjoint(op), product = op.getOpcode() == Instruction::Mul;
  const bool shift = op.getOpcode() == Instruction::Shl;
  if (!isSum(op) && !product && !(shift && isa<ConstantInt>(op.getOperand(1))))
    return std::nullopt;
  const bool is_signed = how != Extension::Zero && (disjoint || op.hasNoSignedWrap());
  if (!is_signed && (how == Extension::Sign || !(disjoint || op.hasNoUnsignedWrap())))
    return std::nullopt;
  --steps_left;
  const Extension operands = is_signed ? Extension::Sign : Extension::Zero;
  Offsets x = extended(*op.getOperand(0), operands, wide);
  if (!x)
    return std::nullopt;
  if (shift) {
    const APInt &bits = cast<ConstantInt>(op.getOperand(1))->getValue();
    if (bits.uge(op.getType()->getIntegerBitWidth()))
      return std::nullopt;
    return this->product(*x, uniform(b.getInt(APInt(wide.getIntegerBitWidth(), 1).shl(bits.getZExtValue()))));
  }
  Offsets y = extended(*op.getOperand(1), operands, wide);
  return y ? combined(op, *x, *y) : std::nullopt;
}

// Extends the result where no flag helps. Either the numbers are known to be small, or a test at run time has to show
// that none wraps around within its segment.
std::optional<FixedOffsets> SegmentOffsets::extendedResult(const FixedOffsets &narrow, Extension how, Type &wide) {
  const unsigned bits = wide.getIntegerBitWidth();
  const auto extension = [&](FixedOffsets x, bool is_signed) {
    return FixedOffsets{eachStart(x.starts, [&](Value *start) { return b.CreateIntCast(start, &wide, is_signed); }),
                        each(x.steps, [&](const APInt &step) { return step.zext(bits); }), x.holds};
  };
  if (isSmall(narrow, b.GetInsertBlock()->getDataLayout()))
    return extension(narrow, /*is_signed=*/false);
  if (!may_test)
    return std::nullopt;
  FixedOffsets x = narrow;
  startInFirstLanes(x);
  const APInt span =
      *std::max_element(x.steps.begin(), x.steps.end(), [](const APInt &p, const APInt &q) { return p.ult(q); });
  if (span.isNegative())
    return std::nullopt;
  const bool is_signed = how == Extension::Sign;
  const unsigned narrow_bits = span.getBitWidth();
  const APInt most = is_signed ? APInt::getSignedMaxValue(narrow_bits) : APInt::getMaxValue(narrow_bits);
  if (span != 0)
    for (Value *start : x.starts)
      x.holds =
          both(x.holds, b.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, start, b.getInt(most - span)));
  return extension(x, is_signed);
}

std::optional<FixedOffsets> SegmentOffsets::ofPointer(Value &pointer) {
  const DataLayout &layout = b.GetInsertBlock()->getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer.getType());
  SmallMapVector<Value *, APInt, 4> parts;
  APInt constant(bits, 0);
  Value *object = &pointer;
  for (; !source.shapes.shapeOf(object).isUniform(); object = cast<GetElementPtrInst>(object)->getPointerOperand()) {
    const auto *gep = dyn_cast<GetElementPtrInst>(object);
    if (gep == nullptr || !gep->collectOffset(layout, bits, parts, constant))
      return std::nullopt;
  }
  Type *wide = b.getIntNTy(bits);
  FixedOffsets sum = uniform(b.getInt(constant));
  for (const auto &[index, scale] : parts) {
    const unsigned index_bits = index->getType()->getIntegerBitWidth();
    // A GEP sign-extends its indices.
    Offsets part = index_bits < bits    ? extended(*index, Extension::Sign, *wide)
                   : index_bits == bits ? of(*index)
                                        : std::nullopt;
    if (!part)
      return std::nullopt;
    sum.starts = eachStart(sum.starts, part->starts, [&, &times = scale](Value *s, Value *start) {
      return b.CreateAdd(s, b.CreateMul(start, b.getInt(times)));
    });
    for (const auto &[step, more] : zip_equal(sum.steps, part->steps))
      step += more * scale;
    sum.holds = both(sum.holds, part->holds);
  }
  Value *base = source.scalar_of(object);
  sum.starts = eachStart(sum.starts, [&](Value *offset) { return b.CreatePtrAdd(base, offset); });
  assert(sum.steps.size() == source.width && "a step for each lane");
  return sum;
}

} // namespace lanecl::vectorizer
