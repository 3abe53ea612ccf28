// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/arithmetic/math_instructions.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <cassert>

using namespace llvm;

namespace lanecl::vectorizer::lanes {
namespace {

constexpr unsigned kSmallestRegister = 128;

// The intrinsics of one lane instruction and their extra operands. The arrays hold the forms for vectors of 128, 256
// and 512 bits.
struct Forms {
  Intrinsic::ID of_float[3], of_double[3];
  std::optional<int> immediate; // follows the vectors
  bool has_rounding;            // the 512-bit form has a rounding operand
};

#define FORMS(name)                                                                                                    \
  {Intrinsic::x86_avx512_##name##_ps_128, Intrinsic::x86_avx512_##name##_ps_256,                                       \
   Intrinsic::x86_avx512_##name##_ps_512},                                                                             \
  {                                                                                                                    \
    Intrinsic::x86_avx512_##name##_pd_128, Intrinsic::x86_avx512_##name##_pd_256,                                      \
        Intrinsic::x86_avx512_##name##_pd_512                                                                          \
  }

Forms formsOf(LaneInstruction instruction) {
  switch (instruction) {
  case LaneInstruction::Scale: return {FORMS(mask_scalef), std::nullopt, true};
  case LaneInstruction::Exponent:
  case LaneInstruction::FloorExponent: return {FORMS(mask_getexp), std::nullopt, true};
  case LaneInstruction::Mantissa: return {FORMS(mask_getmant), 0b1111, true}; // in [3/4, 3/2), NaN for negative numbers
  case LaneInstruction::NearestRest: return {FORMS(mask_reduce), 0b1000, true}; // rounds to nearest without exceptions
  case LaneInstruction::FloorRest: return {FORMS(mask_reduce), 0b1001, true};   // rounds down without exceptions
  case LaneInstruction::Reciprocal:
  case LaneInstruction::RoughReciprocal: return {FORMS(rcp14), std::nullopt, false};
  case LaneInstruction::ReciprocalRoot:
  case LaneInstruction::RoughReciprocalRoot: return {FORMS(rsqrt14), std::nullopt, false};
  case LaneInstruction::Lookup:
  case LaneInstruction::Available:
  case LaneInstruction::HalfArithmetic: break;
  }
  llvm_unreachable("a table's form is its own, and queries are answered before");
}
#undef FORMS

// Emits the AVX-512 instruction for one register. Its last operands are the values for lanes outside the mask, the
// mask, and the rounding mode.
Value *emitRegister(IRBuilderBase &b, LaneInstruction instruction, ArrayRef<Value *> operands) {
  const Forms forms = formsOf(instruction);
  auto *type = cast<FixedVectorType>(operands[0]->getType());
  const bool is_float = type->getElementType()->isFloatTy();
  const unsigned bits = type->getNumElements() * type->getScalarSizeInBits(), form = Log2_32(bits / kSmallestRegister);
  assert((bits == 128 || bits == 256 || bits == 512) && (is_float || type->getElementType()->isDoubleTy()) &&
         "one register of floats or doubles");
  SmallVector<Value *, 6> arguments(operands);
  if (forms.immediate)
    arguments.push_back(b.getInt32(*forms.immediate));
  arguments.push_back(PoisonValue::get(type));
  arguments.push_back(Constant::getAllOnesValue(b.getIntNTy(std::max(type->getNumElements(), 8u))));
  if (forms.has_rounding && bits == 512)
    arguments.push_back(b.getInt32(4)); // round as MXCSR says
  return b.CreateIntrinsic(is_float ? forms.of_float[form] : forms.of_double[form], arguments);
}

// Emits an estimate without AVX-512, for one register of floats.
Value *emitRough(IRBuilderBase &b, LaneInstruction instruction, Value *x) {
  const bool is_root = instruction == LaneInstruction::RoughReciprocalRoot;
  assert((is_root || instruction == LaneInstruction::RoughReciprocal) && "other instructions need AVX-512");
  assert(x->getType()->getScalarType()->isFloatTy() && "estimates are of floats");
  if (cast<FixedVectorType>(x->getType())->getNumElements() == 8)
    return b.CreateIntrinsic(is_root ? Intrinsic::x86_avx_rsqrt_ps_256 : Intrinsic::x86_avx_rcp_ps_256, {x});
  return b.CreateIntrinsic(is_root ? Intrinsic::x86_sse_rsqrt_ps : Intrinsic::x86_sse_rcp_ps, {x});
}

// Emits the operation for one register. vgetexp returns the exponent that belongs to a mantissa in [1, 2), but the
// exponent of LaneInstruction::Exponent belongs to one in [3/4, 3/2): the exponent of that mantissa, 0 or -1, is
// subtracted.
Value *emitOperation(const LaneContext &c, LaneInstruction instruction, ArrayRef<Value *> operands) {
  IRBuilderBase &b = c.b;
  if (c.target.level != IsaLevel::Avx512)
    return emitRough(b, instruction, operands[0]);
  if (instruction == LaneInstruction::Scale) // other processors use the integer operand
    operands = operands.take_front(2);
  Value *result = emitRegister(b, instruction, operands);
  if (instruction != LaneInstruction::Exponent)
    return result;
  Value *mantissa = emitRegister(b, LaneInstruction::Mantissa, operands);
  return b.CreateFSub(result, emitRegister(b, LaneInstruction::Exponent, mantissa));
}

// Emits the operation for a scalar, as element 0 of a 128-bit vector.
Value *emitScalar(const LaneContext &c, LaneInstruction instruction, ArrayRef<Value *> operands) {
  IRBuilderBase &b = c.b;
  Type *type = operands[0]->getType();
  const unsigned lanes = kSmallestRegister / type->getScalarSizeInBits();
  SmallVector<Value *, 3> vectors;
  for (Value *operand : operands) {
    auto *vector = FixedVectorType::get(operand->getType(), lanes);
    vectors.push_back(b.CreateInsertElement(Constant::getNullValue(vector), operand, uint64_t(0)));
  }
  return b.CreateExtractElement(emitOperation(c, instruction, vectors), uint64_t(0));
}

// Reads a table of 16 doubles. It fits into two registers, from which one vpermi2pd takes an element for each of eight
// lanes.
Value *emitLookup(const LaneContext &c, Value *table, Value *index) {
  IRBuilderBase &b = c.b;
  Type *element = b.getDoubleTy();
  if (!index->getType()->isVectorTy())
    return b.CreateAlignedLoad(element, b.CreateGEP(element, table, b.CreateAnd(index, 15)), Align(8));
  constexpr unsigned kLanes = 8;
  assert(c.target.level == IsaLevel::Avx512 && hasLanes(c, index) && c.width % kLanes == 0 && "whole registers");
  auto *half = FixedVectorType::get(element, kLanes);
  Value *low = b.CreateAlignedLoad(half, table, Align(8));
  Value *high = b.CreateAlignedLoad(half, b.CreateConstGEP1_32(half, table, 1), Align(8));
  SmallVector<Value *, 4> parts;
  for (unsigned first = 0; first < c.width; first += kLanes)
    parts.push_back(
        b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_pd_512,
                          {low, b.CreateShuffleVector(index, createSequentialMask(first, kLanes, 0)), high}));
  return concatenateVectors(b, parts);
}

} // namespace

Value *emitLaneInstruction(const LaneContext &c, LaneInstruction instruction, ArrayRef<Value *> operands) {
  IRBuilderBase &b = c.b;
  if (instruction == LaneInstruction::Lookup)
    return emitLookup(c, operands[0], operands[1]);
  if (!operands[0]->getType()->isVectorTy())
    return emitScalar(c, instruction, operands);
  assert(all_of(operands, [&](const Value *operand) { return hasLanes(c, operand); }) && "all operands are of lanes");
  const unsigned lanes = std::min(c.width, c.target.registerBits() / operands[0]->getType()->getScalarSizeInBits());
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < c.width; first += lanes) {
    SmallVector<Value *, 3> registers;
    for (Value *operand : operands)
      registers.push_back(b.CreateShuffleVector(operand, createSequentialMask(first, lanes, 0)));
    parts.push_back(emitOperation(c, instruction, registers));
  }
  return concatenateVectors(b, parts);
}

} // namespace lanecl::vectorizer::lanes
