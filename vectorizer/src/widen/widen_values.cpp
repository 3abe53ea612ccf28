// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic, casts, phis and the shuffling of vector components.
#include "widen/widener.h"

#include "analysis/values/safe_divisor.h"
#include "lanes/arithmetic/divide.h"
#include "lanes/arithmetic/reciprocal_root.h"
#include "lanes/cross_lane/votes.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer {

// Clones the instruction with the scalars of its operands.
Instruction *Widener::cloneScalar(Instruction &instruction) {
  Instruction *clone = instruction.clone();
  for (Use &operand : clone->operands())
    if (!isa<BasicBlock>(operand))
      operand.set(scalarOf(operand));
  b.Insert(clone, instruction.getName());
  clone->setDebugLoc(instruction.getDebugLoc());
  clone->dropDbgRecords();
  return clone;
}

// Emits the scalar of a uniform or strided value. The scalar of a strided value is lane 0's, and a uniform value may be
// computed from such scalars. Lane 0 may be inactive, so facts from flags and metadata are dropped
// (analysis/shapes/shape.h).
void Widener::cloneLinear(Instruction &instruction) {
  const bool from_lane_0 = any_of(instruction.operands(), [&](Value *operand) { return shapeOf(operand).isStrided(); });
  if (!from_lane_0) {
    setScalar(instruction, cloneScalar(instruction));
    return;
  }
  if (isa<SExtInst, ZExtInst>(instruction)) {
    const bool non_negative = isa<ZExtInst>(instruction) && instruction.hasNonNeg();
    const Extension extension = isa<SExtInst>(instruction) ? Extension::Sign
                                : non_negative             ? Extension::NonNegative
                                                           : Extension::Zero;
    setScalar(instruction, extendedLaneZero(instruction.getOperand(0), instruction.getType(), extension));
    return;
  }
  // An `or` of disjoint bits is without carries in active lanes only.
  if (const auto *sum = dyn_cast<PossiblyDisjointInst>(&instruction)) {
    assert(sum->isDisjoint() && "another or of strided numbers is not linear");
    setScalar(instruction,
              b.CreateAdd(scalarOf(sum->getOperand(0)), scalarOf(sum->getOperand(1)), instruction.getName()));
    return;
  }
  assert((isa<CastInst, SelectInst, FreezeInst>(instruction) || instruction.getOpcode() == Instruction::Add ||
          instruction.getOpcode() == Instruction::Sub || instruction.getOpcode() == Instruction::Mul ||
          instruction.getOpcode() == Instruction::Shl) &&
         "only such operations are exact in lane 0, whether it is active or not");
  Instruction *clone = cloneScalar(instruction);
  clone->dropPoisonGeneratingAnnotations();
  // The lane number of lane 0 is the constant 0. Folding keeps sums with it constant, as shuffles expect.
  if (Constant *folded = ConstantFoldInstruction(clone, layout)) {
    clone->eraseFromParent();
    setScalar(instruction, folded);
    return;
  }
  setScalar(instruction, clone);
}

// Returns the base of a progression of extended numbers: what lane 0 would have if it were active. Its own extension
// may differ, because an inactive lane's number may have wrapped around.
Value *Widener::extendedLaneZero(Value *narrow, Type *wide, Extension extension) {
  const Shape shape = shapeOf(narrow);
  const Progression &numbers = shape.progression();
  assert(wide->getScalarSizeInBits() > narrow->getType()->getScalarSizeInBits() && "an extension makes a value wider");
  assert((extension == Extension::Zero ? numbers.is_unsigned
                                       : numbers.is_signed || (extension != Extension::Sign && numbers.is_unsigned)) &&
         "only the extension of a progression is linear");
  Value *first = scalarOf(narrow);
  if (extension != Extension::Sign && numbers.is_unsigned)
    return b.CreateZExt(first, wide);
  const bool lane_0_is_active = mask == entry_mask && !options.masked;
  // If the active lanes rise from zero or above, there is room below zero for lane 0's number.
  const unsigned bits = narrow->getType()->getScalarSizeInBits();
  const bool reaches = extension == Extension::NonNegative && shape.stride() >= 0 &&
                       isUIntN(bits - 1, static_cast<uint64_t>(shape.stride()) * (options.width - 1));
  if (lane_0_is_active || numbers.signed_from_lane_0 || reaches)
    return b.CreateSExt(first, wide);
  Value *lane = lanes::emitFirstActive(c, mask);
  const auto distance = [&](Type *type) {
    return b.CreateMul(b.CreateZExtOrTrunc(lane, type), ConstantInt::getSigned(type, shape.stride(), true));
  };
  Value *active = b.CreateSExt(b.CreateAdd(first, distance(first->getType())), wide);
  return b.CreateSub(active, distance(wide));
}

// Clones an instruction of a kind that has no visitor. It has to be uniform.
void Widener::visitInstruction(Instruction &instruction) {
  if (isUniform(&instruction)) {
    cloneLinear(instruction);
    return;
  }
  context.diagnostics.error(instruction, Twine("'") + instruction.getOpcodeName() + "' cannot be widened");
  setLanes(instruction, [&] {
    Values poison;
    for (Type *type : scalarTypes(instruction.getType()))
      poison.push_back(PoisonValue::get(FixedVectorType::get(type, options.width)));
    return poison;
  }());
}

// Creates phis without incoming values; completePhis() adds these at the end.
void Widener::visitPHINode(PHINode &phi) {
  if (shapeOf(&phi).isLinear()) {
    setScalar(phi, b.CreatePHI(phi.getType(), phi.getNumIncomingValues(), phi.getName()));
    return;
  }
  Values components;
  for (Type *type : scalarTypes(phi.getType()))
    components.push_back(
        b.CreatePHI(FixedVectorType::get(type, options.width), phi.getNumIncomingValues(), phi.getName()));
  setLanes(phi, std::move(components));
}

// Returns the square root by which `op` divides, if the quotient may be computed as a product with its reciprocal.
static CallBase *rootToInvert(BinaryOperator &op) {
  if (op.getOpcode() != Instruction::FDiv || !op.hasAllowReciprocal())
    return nullptr;
  auto *root = dyn_cast<CallBase>(op.getOperand(1));
  return root && root->getIntrinsicID() == Intrinsic::sqrt ? root : nullptr;
}

// Computes x / sqrt(y) as a product with our own reciprocal root. What LLVM makes of an `arcp` division by a root is
// NaN for zeros and infinities, so the flag is removed from all other divisions by roots.
void Widener::divideByRoot(BinaryOperator &op, CallBase &root) {
  op.setHasAllowReciprocal(false);
  if (!op.getType()->getScalarType()->isFloatTy() || isUniform(&op) || isUniform(&root)) {
    visitBinaryOperator(op);
    return;
  }
  Values components;
  for (const auto &[x, y] : zip_equal(lanesOf(op.getOperand(0)), lanesOf(root.getArgOperand(0))))
    components.push_back(b.CreateFMul(x, lanes::emitReciprocalRoot(c, y)));
  setLanes(op, std::move(components));
}

// Emits a product with a power of two as a shift. This works around LLVM 22's instruction selection for AVX-512, which
// fails on `sext(trunc(8 * x to i16))` in an address at -O0. It can go when the test "an index of 16 bits that is a
// product, without optimization" (tests/kernels/code_generation.cpp) passes without it.
static Value *emitOperation(IRBuilder<> &b, Instruction::BinaryOps opcode, Value *x, Value *y) {
  const APInt *factor;
  if (opcode == Instruction::Mul && PatternMatch::match(y, PatternMatch::m_Power2(factor)))
    return b.CreateShl(x, ConstantInt::get(x->getType(), factor->logBase2()));
  return b.CreateBinOp(opcode, x, y);
}

void Widener::visitBinaryOperator(BinaryOperator &op) {
  if (CallBase *root = rootToInvert(op)) {
    divideByRoot(op, *root);
    return;
  }
  const bool divides = op.isIntDivRem();
  Value *second = divides ? divisorOfUsedResults(op) : op.getOperand(1);
  if (shapeOf(&op).isLinear()) {
    if (divides)
      setScalar(op, divideScalars(op.getOpcode(), scalarOf(op.getOperand(0)), scalarOf(second)));
    else
      cloneLinear(op);
    return;
  }
  Values components;
  for (const auto &[x, y] : zip_equal(lanesOf(op.getOperand(0)), lanesOf(second))) {
    Value *result = divides ? lanes::emitDivision(c, op.getOpcode(), x, y) : emitOperation(b, op.getOpcode(), x, y);
    if (auto *widened = dyn_cast<Instruction>(result); widened != nullptr && isa<FPMathOperator>(widened))
      widened->copyFastMathFlags(&op);
    components.push_back(result);
  }
  setLanes(op, std::move(components));
}

// Divides scalars. The components of a vector are divided together, as lanes are.
Value *Widener::divideScalars(Instruction::BinaryOps opcode, Value *x, Value *y) {
  const auto *vector = dyn_cast<FixedVectorType>(x->getType());
  return vector ? lanes::emitDivision({b, vector->getNumElements(), options.target}, opcode, x, y)
                : lanes::emitSafeDivision(b, opcode, x, y);
}

void Widener::visitUnaryOperator(UnaryOperator &op) {
  if (isUniform(&op)) {
    cloneLinear(op);
    return;
  }
  Values components;
  for (Value *x : lanesOf(op.getOperand(0)))
    components.push_back(b.CreateUnOp(op.getOpcode(), x));
  for (Value *component : components)
    if (auto *widened = dyn_cast<Instruction>(component))
      widened->copyFastMathFlags(&op);
  setLanes(op, std::move(components));
}

void Widener::visitSelectInst(SelectInst &select) {
  if (shapeOf(&select).isLinear()) {
    cloneLinear(select);
    return;
  }
  const bool uniform_condition = isUniform(select.getCondition());
  const Values conditions = uniform_condition ? split(scalarOf(select.getCondition())) : lanesOf(select.getCondition());
  const Values if_true = lanesOf(select.getTrueValue()), if_false = lanesOf(select.getFalseValue());
  assert(if_true.size() == if_false.size() && (conditions.size() == 1 || conditions.size() == if_true.size()) &&
         "a condition for each component, or one for all");
  Values components;
  for (unsigned i = 0; i < if_true.size(); ++i) {
    Value *condition = conditions[conditions.size() == 1 ? 0 : i];
    Value *result = b.CreateSelect(condition, if_true[i], if_false[i], select.getName());
    if (auto *widened = dyn_cast<Instruction>(result); widened != nullptr && isa<FPMathOperator>(widened))
      widened->copyFastMathFlags(&select);
    components.push_back(result);
  }
  setLanes(select, std::move(components));
}

void Widener::visitFreezeInst(FreezeInst &freeze) {
  if (shapeOf(&freeze).isLinear()) {
    cloneLinear(freeze);
    return;
  }
  Values components;
  for (Value *x : lanesOf(freeze.getOperand(0)))
    components.push_back(b.CreateFreeze(x));
  setLanes(freeze, std::move(components));
}

void Widener::visitCastInst(CastInst &cast) {
  if (shapeOf(&cast).isLinear()) {
    cloneLinear(cast);
    return;
  }
  const Values operands = lanesOf(cast.getOperand(0));
  const SmallVector<Type *, 4> types = scalarTypes(cast.getType());
  if (isa<BitCastInst>(cast) && operands.size() != types.size()) {
    setLanes(cast, bitcast(operands, cast.getType()));
    return;
  }
  Values components;
  for (const auto &[x, type] : zip_equal(operands, types))
    components.push_back(b.CreateCast(cast.getOpcode(), x, FixedVectorType::get(type, options.width)));
  setLanes(cast, std::move(components));
}

// Regroups the bits of each lane, little-endian: <2 x i32> and i64, or <4 x i8> and float. An undefined component
// leaves the bits of the others as they are.
Widener::Values Widener::bitcast(const Values &operands, Type *type) {
  const SmallVector<Type *, 4> types = scalarTypes(type);
  const unsigned from = operands[0]->getType()->getScalarSizeInBits();
  const unsigned to = layout.getTypeSizeInBits(types[0]).getFixedValue();
  assert(operands.size() * from == types.size() * to && (from % to == 0 || to % from == 0) &&
         "components are split or joined as a whole");
  Type *from_integer = c.vectorOf(b.getIntNTy(from)), *to_integer = c.vectorOf(b.getIntNTy(to));
  Values result;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value *bits = nullptr;
    if (to > from) {
      for (unsigned part = 0; part < to / from; ++part) {
        Value *component = lanes::defined(c, operands[i * (to / from) + part]);
        component = b.CreateZExt(b.CreateBitCast(component, from_integer), to_integer);
        component = b.CreateShl(component, part * from);
        bits = bits == nullptr ? component : b.CreateOr(bits, component);
      }
    } else {
      const unsigned parts = from / to;
      bits = b.CreateBitCast(operands[i / parts], from_integer);
      bits = b.CreateTrunc(b.CreateLShr(bits, (i % parts) * to), to_integer);
    }
    result.push_back(types[i]->isPointerTy() ? b.CreateIntToPtr(bits, c.vectorOf(types[i]))
                                             : b.CreateBitCast(bits, c.vectorOf(types[i])));
  }
  return result;
}

void Widener::visitExtractElementInst(ExtractElementInst &extract) {
  if (isUniform(&extract)) {
    cloneLinear(extract);
    return;
  }
  const Values components = lanesOf(extract.getVectorOperand());
  Value *index = extract.getIndexOperand();
  if (const auto *constant = dyn_cast<ConstantInt>(index)) {
    const uint64_t i = constant->getZExtValue();
    setLanes(extract, {i < components.size() ? components[i] : PoisonValue::get(components[0]->getType())});
    return;
  }
  Value *position = isUniform(index) ? scalarOf(index) : laneOf(index);
  Value *result = components[0];
  for (unsigned i = 1; i < components.size(); ++i)
    result = b.CreateSelect(b.CreateICmpEQ(position, ConstantInt::get(position->getType(), i)), components[i], result);
  setLanes(extract, {result});
}

void Widener::visitInsertElementInst(InsertElementInst &insert) {
  if (isUniform(&insert)) {
    cloneLinear(insert);
    return;
  }
  Values components = lanesOf(insert.getOperand(0));
  Value *element = laneOf(insert.getOperand(1)), *index = insert.getOperand(2);
  if (const auto *constant = dyn_cast<ConstantInt>(index)) {
    if (constant->getZExtValue() < components.size())
      components[constant->getZExtValue()] = element;
  } else {
    Value *position = isUniform(index) ? scalarOf(index) : laneOf(index);
    for (unsigned i = 0; i < components.size(); ++i)
      components[i] =
          b.CreateSelect(b.CreateICmpEQ(position, ConstantInt::get(position->getType(), i)), element, components[i]);
  }
  setLanes(insert, std::move(components));
}

void Widener::visitShuffleVectorInst(ShuffleVectorInst &shuffle) {
  if (isUniform(&shuffle)) {
    cloneLinear(shuffle);
    return;
  }
  Values sources = lanesOf(shuffle.getOperand(0));
  sources.append(lanesOf(shuffle.getOperand(1)));
  Values components;
  for (const int from : shuffle.getShuffleMask())
    components.push_back(from < 0 ? PoisonValue::get(sources[0]->getType()) : sources[from]);
  setLanes(shuffle, std::move(components));
}

namespace {

// Returns the range of an aggregate's scalars that a path of member indices selects: the first one and their number.
std::pair<size_t, size_t> memberRange(Type *type, ArrayRef<unsigned> path) {
  size_t first = 0;
  for (const unsigned index : path) {
    for (unsigned before = 0; before < index; ++before)
      first += scalarTypes(ExtractValueInst::getIndexedType(type, before)).size();
    type = ExtractValueInst::getIndexedType(type, index);
  }
  return {first, scalarTypes(type).size()};
}

} // namespace

void Widener::visitExtractValueInst(ExtractValueInst &extract) {
  if (isUniform(&extract)) {
    cloneLinear(extract);
    return;
  }
  const Values components = lanesOf(extract.getAggregateOperand());
  const auto [first, count] = memberRange(extract.getAggregateOperand()->getType(), extract.getIndices());
  setLanes(extract, Values(ArrayRef<Value *>(components).slice(first, count)));
}

void Widener::visitInsertValueInst(InsertValueInst &insert) {
  if (isUniform(&insert)) {
    cloneLinear(insert);
    return;
  }
  Values components = lanesOf(insert.getAggregateOperand());
  const auto [first, count] = memberRange(insert.getType(), insert.getIndices());
  const Values inserted = lanesOf(insert.getInsertedValueOperand());
  assert(inserted.size() == count && "the member has the components of what is inserted");
  for (size_t i = 0; i < count; ++i)
    components[first + i] = inserted[i];
  setLanes(insert, std::move(components));
}

} // namespace lanecl::vectorizer
