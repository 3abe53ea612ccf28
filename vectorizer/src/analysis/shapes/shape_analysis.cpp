// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/shapes/shape_analysis.h"

#include "analysis/functions/kept_functions.h"
#include "analysis/functions/markers.h"
#include "analysis/functions/primitives.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <functional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// Returns the shape of a value that no instruction computes: an argument, a constant or a function.
Shape shapeOfOther(const Value &value) {
  const auto *argument = dyn_cast<Argument>(&value);
  if (argument == nullptr || !isVarying(*argument))
    return Shape::uniform();
  const std::optional<int64_t> stride = strideOf(*argument);
  return stride ? Shape::strided(*stride) : Shape::varying();
}

// The transfer function of the data-flow analysis: computes the shape of an instruction from the shapes of its
// operands.
class Transfer : public InstVisitor<Transfer, Shape> {
public:
  Transfer(Function &function, const PrivateLayouts &layouts, const DenseMap<const Value *, Shape> &shapes)
      : layouts(layouts), shapes(shapes), layout(function.getDataLayout()) {
    for (BasicBlock &block : function)
      if (blockMask(block) != nullptr || isKept(function))
        masked.insert(&block);
  }

  Shape of(const Value *value) const {
    if (!isa<Instruction>(value))
      return shapeOfOther(*value);
    const auto found = shapes.find(value);
    return found == shapes.end() ? Shape::undefined() : found->second;
  }

  Shape visitInstruction(Instruction &instruction) { return allUniform(instruction); }

  Shape visitPHINode(PHINode &phi) {
    Shape result = Shape::undefined();
    for (const Value *incoming : phi.incoming_values())
      // Undef and poison come from a path on which no lane needs the value.
      if (!isa<UndefValue>(incoming))
        result = Shape::join(result, of(incoming));
    return result;
  }

  Shape visitSelectInst(SelectInst &select) {
    if (!of(select.getCondition()).isUniform())
      return of(select.getCondition()).isUndefined() ? Shape::undefined() : Shape::varying();
    return Shape::join(of(select.getTrueValue()), of(select.getFalseValue()));
  }

  Shape visitBinaryOperator(BinaryOperator &op) {
    const Shape a = of(op.getOperand(0)), b = of(op.getOperand(1));
    if (a.isUndefined() || b.isUndefined())
      return Shape::undefined();
    if (!op.getType()->isIntegerTy() || !a.isLinear() || !b.isLinear() || (a.isUniform() && b.isUniform()))
      return allUniform(op);
    return linear(op, a, b);
  }

  Shape visitGetElementPtrInst(GetElementPtrInst &gep) {
    if (layouts.laneInnermostVariable(&gep) != nullptr)
      return allUniform(gep);
    return strideOf(gep);
  }

  Shape visitCastInst(CastInst &cast) {
    const Shape source = of(cast.getOperand(0));
    if (!source.isStrided())
      return source;
    switch (cast.getOpcode()) {
    case Instruction::Trunc: return truncated(cast, source);
    case Instruction::SExt: return source.progression().is_signed ? extended(cast, source) : Shape::varying();
    case Instruction::ZExt: return zeroExtended(cast, source);
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: return pointerCast(cast, source);
    case Instruction::AddrSpaceCast: return source;
    default: return Shape::varying();
    }
  }

  // A frozen lane that was poison may have any number. It is taken to have base + lane * stride, for which the facts of
  // the source need not hold. So the result is strided without a progression.
  Shape visitFreezeInst(FreezeInst &freeze) {
    const Shape source = of(freeze.getOperand(0));
    return source.isStrided() ? Shape::strided(source.stride()) : source;
  }

  Shape visitAllocaInst(AllocaInst &variable) {
    if (layouts.cellBytes(variable) != 0)
      return Shape::uniform();
    return Shape::strided(static_cast<int64_t>(laneMajorStride(variable)));
  }

  // A lane-innermost variable holds another value for each lane, even at a uniform offset.
  Shape visitLoadInst(LoadInst &load) {
    if (layouts.laneInnermostVariable(load.getPointerOperand()) != nullptr)
      return Shape::varying();
    return allUniform(load);
  }

  Shape visitAtomicRMWInst(AtomicRMWInst &) { return Shape::varying(); }
  Shape visitAtomicCmpXchgInst(AtomicCmpXchgInst &) { return Shape::varying(); }

  Shape visitCallBase(CallBase &call) {
    if (const std::optional<Primitive> primitive = primitiveOf(call)) {
      if (*primitive == Primitive::LaneId)
        return Shape::strided(1, Progression::everything());
      return hasUniformResult(*primitive) ? Shape::uniform() : Shape::varying();
    }
    const Function *callee = call.getCalledFunction();
    if (callee != nullptr && isKept(*callee))
      return hasSameResult(*callee) ? allUniform(call) : Shape::varying();
    if (callee != nullptr && (callee->getName() == "lanecl.any" || callee->getName() == "lanecl.whole"))
      return Shape::uniform();
    if (callee != nullptr && callee->getName() == "lanecl.entry.mask")
      return Shape::varying();
    if (isa<IntrinsicInst>(call) && !call.mayWriteToMemory())
      return allUniform(call);
    return call.doesNotAccessMemory() && call.doesNotThrow() && !call.isConvergent() ? allUniform(call)
                                                                                     : Shape::varying();
  }

private:
  // Returns uniform if all operands are, undefined if one of them is still undefined, else varying.
  Shape allUniform(const Instruction &instruction) const {
    Shape result = Shape::uniform();
    for (const Use &operand : instruction.operands()) {
      const Shape shape = of(operand);
      if (shape.isUndefined())
        result = shape;
      else if (!shape.isUniform())
        return Shape::varying();
    }
    return result;
  }

  // Returns the shape of an operation with a strided operand and another strided or uniform one.
  Shape linear(const BinaryOperator &op, const Shape &a, const Shape &b) const {
    assert((a.isStrided() || b.isStrided()) && "an operation of uniform numbers is uniform");
    const APInt *factor = nullptr;
    switch (op.getOpcode()) {
    case Instruction::Add: return sum(op, a, b);
    case Instruction::Sub: return difference(op, a, b);
    case Instruction::Or:
      // A disjoint `or` adds without carries in the active lanes.
      if (cast<PossiblyDisjointInst>(op).isDisjoint())
        return sum(op, a, b);
      break;
    case Instruction::Mul:
      if (match(op.getOperand(1), m_APInt(factor)) && factor->getSignificantBits() <= 32)
        return product(op, a, factor->getSExtValue());
      break;
    case Instruction::Shl:
      if (match(op.getOperand(1), m_APInt(factor)) && factor->ult(32))
        return product(op, a, int64_t{1} << factor->getZExtValue());
      break;
    default: break;
    }
    return Shape::varying();
  }

  // Whether lane 0 is active wherever the instruction runs. It is active under the entry mask of a kernel, but it need
  // not be among the lanes that call a kept function.
  bool runsForLane0(const Instruction &instruction) const { return !masked.contains(instruction.getParent()); }

  // Returns the facts that the flags of the operation promise for the active lanes. Lane 0 is included only where it is
  // active.
  Progression promised(const BinaryOperator &op, const Shape &a, const Shape &b) const {
    const auto *wrapping = dyn_cast<OverflowingBinaryOperator>(&op);
    const bool disjoint = wrapping == nullptr;
    const Progression operands = a.progression() & b.progression();
    Progression result;
    result.is_signed = operands.is_signed && (disjoint || wrapping->hasNoSignedWrap());
    result.is_unsigned = operands.is_unsigned && (disjoint || wrapping->hasNoUnsignedWrap());
    result.signed_from_lane_0 = result.is_signed && operands.signed_from_lane_0 && runsForLane0(op);
    return result;
  }

  bool isNonNegative(const Value *value, const Shape &shape) const {
    return shape.isStrided() ? shape.progression().non_negative : isKnownNonNegative(value, SimplifyQuery(layout));
  }

  // If both operands rise from lane to lane, lane 0 has the least sum. Its sum is at most that of an active lane, which
  // does not wrap around. If one operand is non-negative, its sum is also at least the other operand. Then lane 0 does
  // not wrap around either.
  Shape sum(const BinaryOperator &op, const Shape &a, const Shape &b) const {
    Progression numbers = promised(op, a, b);
    const bool rises = a.stride() >= 0 && b.stride() >= 0;
    numbers.is_unsigned &= rises;
    if (rises && numbers.is_signed && (a.progression() & b.progression()).signed_from_lane_0) {
      const bool first = isNonNegative(op.getOperand(0), a), second = isNonNegative(op.getOperand(1), b);
      numbers.signed_from_lane_0 |= first || second;
      numbers.non_negative = first && second;
    }
    return Shape::strided(wrapping(a.stride(), b.stride(), std::plus<>()), numbers);
  }

  // Lane 0 has the least difference (if the lanes rise) or the greatest. A non-negative operand keeps it from exceeding
  // the other limit.
  Shape difference(const BinaryOperator &op, const Shape &a, const Shape &b) const {
    Progression numbers = promised(op, a, b);
    numbers.is_unsigned = false;
    if (numbers.is_signed && (a.progression() & b.progression()).signed_from_lane_0) {
      const bool rises = a.stride() >= 0 && b.stride() <= 0, falls = a.stride() <= 0 && b.stride() >= 0;
      numbers.signed_from_lane_0 |=
          (rises && isNonNegative(op.getOperand(0), a)) || (falls && isNonNegative(op.getOperand(1), b));
    }
    return Shape::strided(wrapping(a.stride(), b.stride(), std::minus<>()), numbers);
  }

  // If the numbers rise and start at zero or above, lane 0's product lies between zero and the product of an active
  // lane, so it does not wrap around.
  Shape product(const BinaryOperator &op, const Shape &a, int64_t factor) const {
    assert(a.isStrided() && "the factor is a constant");
    Progression numbers = promised(op, a, Shape::uniform());
    numbers.is_unsigned &= a.stride() >= 0 && factor >= 0;
    if (numbers.is_signed && a.progression().non_negative && a.stride() >= 0) {
      numbers.signed_from_lane_0 = true;
      numbers.non_negative = factor >= 0;
    }
    return Shape::strided(wrapping(a.stride(), factor, std::multiplies<>()), numbers);
  }

  // Computes with strides modulo 2^64, as values are computed.
  template <typename Operation> static int64_t wrapping(int64_t a, int64_t b, Operation operation) {
    return static_cast<int64_t>(operation(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  }

  // A zero extension is strided if the unsigned numbers do not wrap around. Otherwise it has to equal a sign extension,
  // which it does for non-negative numbers.
  static Shape zeroExtended(const CastInst &extension, const Shape &source) {
    if (source.progression().is_unsigned)
      return Shape::strided(source.stride(), Progression::everything());
    return extension.hasNonNeg() && source.progression().is_signed ? extended(extension, source) : Shape::varying();
  }

  // Returns the shape of a sign extension. The wider type has room for all lanes of a progression that starts at an
  // active lane, so lane 0 belongs to the progression there.
  static Shape extended(const CastInst &extension, const Shape &source) {
    const unsigned from = extension.getSrcTy()->getScalarSizeInBits(), to = extension.getType()->getScalarSizeInBits();
    assert(source.isStrided() && source.progression().is_signed && "the numbers do not wrap around");
    const bool has_room = to >= from + 8 && isIntN(std::min(from + 1, 64U), source.stride());
    Progression numbers;
    numbers.is_signed = true;
    numbers.signed_from_lane_0 = has_room || source.progression().signed_from_lane_0;
    numbers.non_negative = source.progression().non_negative;
    return Shape::strided(source.stride(), numbers);
  }

  Shape truncated(const CastInst &truncation, const Shape &source) const {
    const unsigned bits = truncation.getType()->getScalarSizeInBits();
    if (bits == 1)
      return Shape::varying();
    const int64_t stride = APInt(64, static_cast<uint64_t>(source.stride())).trunc(bits).getSExtValue();
    if (stride != source.stride())
      return Shape::strided(stride);
    const auto &promises = cast<TruncInst>(truncation);
    const Progression &before = source.progression();
    const bool lane_0_fits = runsForLane0(truncation) || (before.non_negative && stride >= 0);
    Progression numbers;
    numbers.is_signed = before.is_signed && promises.hasNoSignedWrap();
    numbers.signed_from_lane_0 = numbers.is_signed && before.signed_from_lane_0 && lane_0_fits;
    numbers.non_negative = numbers.signed_from_lane_0 && before.non_negative;
    numbers.is_unsigned = before.is_unsigned && promises.hasNoUnsignedWrap();
    return Shape::strided(stride, numbers);
  }

  static Shape pointerCast(const CastInst &cast, const Shape &source) {
    const Type *integer = isa<PtrToIntInst>(cast) ? cast.getType() : cast.getOperand(0)->getType();
    return integer->getScalarSizeInBits() == 64 ? Shape::strided(source.stride()) : Shape::varying();
  }

  Shape strideOf(const GetElementPtrInst &gep) const {
    const Shape base = of(gep.getPointerOperand());
    if (base.isUndefined() || base.isVarying())
      return base;
    const unsigned width = layout.getIndexSizeInBits(gep.getPointerAddressSpace());
    SmallMapVector<Value *, APInt, 4> variable_parts;
    APInt constant_part(width, 0);
    if (gep.getType()->isVectorTy() || !gep.collectOffset(layout, width, variable_parts, constant_part))
      return allUniform(gep);
    int64_t stride = base.stride();
    for (const auto &[index, scale] : variable_parts) {
      const Shape shape = of(index);
      if (shape.isUndefined() || shape.isVarying())
        return shape;
      if (shape.isStrided() && index->getType()->getScalarSizeInBits() < width && !shape.progression().is_signed)
        // A GEP sign-extends a narrow index, which may have wrapped around.
        return Shape::varying();
      stride = wrapping(stride, wrapping(shape.stride(), scale.getSExtValue(), std::multiplies<>()), std::plus<>());
    }
    return Shape::strided(stride);
  }

  const PrivateLayouts &layouts;
  const DenseMap<const Value *, Shape> &shapes;
  const DataLayout &layout;
  SmallPtrSet<const BasicBlock *, 32> masked; // blocks in which lane 0 may be inactive
};

} // namespace

ShapeInfo::ShapeInfo(Function &function, const PrivateLayouts &layouts) {
  Transfer transfer(function, layouts, shapes);
  // The iteration is optimistic: every value starts as undefined and only moves up the lattice, so it changes a few
  // times at most.
  SetVector<Instruction *> work;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : *block)
      work.insert(&instruction);
  while (!work.empty()) {
    SetVector<Instruction *> next;
    for (Instruction *instruction : work) {
      const Shape old = transfer.of(instruction);
      const Shape now = Shape::join(old, transfer.visit(*instruction));
      if (now == old)
        continue;
      assert((old.isUndefined() || now.isVarying() || (old.stride() == now.stride() && old.isLinear())) &&
             "a shape only moves up");
      shapes.insert_or_assign(instruction, now);
      for (User *user : instruction->users())
        next.insert(cast<Instruction>(user));
    }
    work = std::move(next);
  }
}

Shape ShapeInfo::shapeOf(const Value *value) const {
  if (!isa<Instruction>(value))
    return shapeOfOther(*value);
  const auto found = shapes.find(value);
  // A value that is still undefined depends only on itself or on poison, so any shape is right: it is treated as
  // uniform.
  return found == shapes.end() || found->second.isUndefined() ? Shape::uniform() : found->second;
}

PreservedAnalyses ShapePrinterPass::run(Function &function, FunctionAnalysisManager &) {
  const PrivateLayouts layouts(function);
  const ShapeInfo shapes(function, layouts);
  outs() << "shapes of " << function.getName() << "\n";
  for (const Instruction &instruction : instructions(function))
    if (!instruction.getType()->isVoidTy())
      outs() << shapes.shapeOf(&instruction).str() << ":" << instruction << "\n";
  return PreservedAnalyses::all();
}

} // namespace lanecl::vectorizer
