#include "analysis/shape_analysis.h"

#include "analysis/primitives.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {
namespace {

// One step of the data flow: the shape of an instruction from the shapes of its operands.
class Transfer : public InstVisitor<Transfer, Shape> {
public:
  Transfer(const PrivateLayouts &layouts, const DenseMap<const Value *, Shape> &shapes)
      : layouts(layouts), shapes(shapes) {}

  Shape of(const Value *value) const {
    if (!isa<Instruction>(value))
      return Shape::uniform();
    const auto found = shapes.find(value);
    return found == shapes.end() ? Shape::undefined() : found->second;
  }

  Shape visitInstruction(Instruction &instruction) { return allUniform(instruction); }

  Shape visitPHINode(PHINode &phi) {
    Shape result = Shape::undefined();
    for (const Value *incoming : phi.incoming_values())
      if (!isa<UndefValue>(incoming)) // poison too: the path on which no lane needs the value
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
    case Instruction::SExt:
      return source.noWrap().is_signed ? Shape::strided(source.stride(), {true, false}) : Shape::varying();
    case Instruction::ZExt: return zeroExtended(cast, source);
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      return cast.getType()->getScalarSizeInBits() == cast.getOperand(0)->getType()->getScalarSizeInBits() ||
                     isa<PtrToIntInst>(cast) || isa<IntToPtrInst>(cast)
                 ? pointerCast(cast, source)
                 : Shape::varying();
    case Instruction::AddrSpaceCast: return source;
    default: return Shape::varying();
    }
  }

  Shape visitFreezeInst(FreezeInst &freeze) { return of(freeze.getOperand(0)); }

  Shape visitAllocaInst(AllocaInst &variable) {
    if (layouts.cellBytes(variable) != 0)
      return Shape::uniform();
    return Shape::strided(static_cast<int64_t>(laneMajorStride(variable)));
  }

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
        return Shape::strided(1, {true, true});
      return hasUniformResult(*primitive) ? Shape::uniform() : Shape::varying();
    }
    const Function *callee = call.getCalledFunction();
    if (callee != nullptr && callee->getName() == "lanecl.any")
      return Shape::uniform();
    if (callee != nullptr && callee->getName() == "lanecl.entry.mask")
      return Shape::varying();
    if (isa<IntrinsicInst>(call) && !call.mayWriteToMemory())
      return allUniform(call);
    return call.doesNotAccessMemory() && call.doesNotThrow() && !call.isConvergent() ? allUniform(call)
                                                                                     : Shape::varying();
  }

private:
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

  Shape linear(const BinaryOperator &op, const Shape &a, const Shape &b) const {
    const NoWrap no_wrap = promisesOf(op) & a.noWrap() & b.noWrap();
    const APInt *factor = nullptr;
    switch (op.getOpcode()) {
    case Instruction::Add: return sum(a, b, no_wrap);
    case Instruction::Sub: return Shape::strided(a.stride() - b.stride(), {no_wrap.is_signed, false});
    case Instruction::Or:
      if (cast<PossiblyDisjointInst>(op).isDisjoint()) // an addition without carries
        return sum(a, b, no_wrap);
      break;
    case Instruction::Mul:
      if (match(op.getOperand(1), m_APInt(factor)) && factor->getSignificantBits() <= 32)
        return scaled(a, factor->getSExtValue(), no_wrap);
      break;
    case Instruction::Shl:
      if (match(op.getOperand(1), m_APInt(factor)) && factor->ult(32))
        return scaled(a, int64_t{1} << factor->getZExtValue(), no_wrap);
      break;
    default: break;
    }
    return Shape::varying();
  }

  static NoWrap promisesOf(const BinaryOperator &op) {
    if (isa<PossiblyDisjointInst>(op))
      return {true, true};
    const auto *wrapping = dyn_cast<OverflowingBinaryOperator>(&op);
    return wrapping == nullptr ? NoWrap{} : NoWrap{wrapping->hasNoSignedWrap(), wrapping->hasNoUnsignedWrap()};
  }

  // The promise is the active lanes'. Lane 0 has the least numbers when both rise, and keeps it with them.
  static Shape sum(const Shape &a, const Shape &b, NoWrap no_wrap) {
    no_wrap.is_unsigned &= a.stride() >= 0 && b.stride() >= 0;
    return Shape::strided(a.stride() + b.stride(), no_wrap);
  }

  static Shape scaled(const Shape &a, int64_t factor, NoWrap no_wrap) {
    no_wrap.is_unsigned &= a.stride() >= 0 && factor >= 0;
    return Shape::strided(a.stride() * factor, no_wrap);
  }

  // Of a non-negative number it is a sign extension.
  static Shape zeroExtended(const CastInst &extension, const Shape &source) {
    if (source.noWrap().is_unsigned)
      return Shape::strided(source.stride(), {true, true});
    return extension.hasNonNeg() && source.noWrap().is_signed ? Shape::strided(source.stride(), {true, false})
                                                              : Shape::varying();
  }

  static Shape truncated(const CastInst &truncation, const Shape &source) {
    const unsigned bits = truncation.getType()->getScalarSizeInBits();
    if (bits == 1)
      return Shape::varying();
    const int64_t stride = APInt(64, static_cast<uint64_t>(source.stride())).trunc(bits).getSExtValue();
    const auto &promises = cast<TruncInst>(truncation);
    const NoWrap kept{promises.hasNoSignedWrap(), promises.hasNoUnsignedWrap() && stride == source.stride()};
    return Shape::strided(stride, source.noWrap() & kept);
  }

  static Shape pointerCast(const CastInst &cast, const Shape &source) {
    const Type *integer = isa<PtrToIntInst>(cast) ? cast.getType() : cast.getOperand(0)->getType();
    return integer->getScalarSizeInBits() == 64 ? Shape::strided(source.stride()) : Shape::varying();
  }

  Shape strideOf(const GetElementPtrInst &gep) const {
    const Shape base = of(gep.getPointerOperand());
    if (base.isUndefined() || base.isVarying())
      return base;
    const DataLayout &layout = gep.getDataLayout();
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
      if (shape.isStrided() && index->getType()->getScalarSizeInBits() < width && !shape.noWrap().is_signed)
        return Shape::varying(); // the index is sign-extended
      stride += shape.stride() * scale.getSExtValue();
    }
    return Shape::strided(stride);
  }

  const PrivateLayouts &layouts;
  const DenseMap<const Value *, Shape> &shapes;
};

} // namespace

ShapeInfo::ShapeInfo(Function &function, const PrivateLayouts &layouts) {
  Transfer transfer(layouts, shapes);
  // Optimistic: everything starts undefined and only climbs the lattice, so each value changes at most three times.
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
      shapes.insert_or_assign(instruction, now);
      for (User *user : instruction->users())
        next.insert(cast<Instruction>(user));
    }
    work = std::move(next);
  }
}

Shape ShapeInfo::shapeOf(const Value *value) const {
  if (!isa<Instruction>(value))
    return Shape::uniform();
  const auto found = shapes.find(value);
  // A value that stayed undefined depends on nothing but itself or poison: any lane's value will do.
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
