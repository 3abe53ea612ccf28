// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "check/values/check_arithmetic.h"

#include "check/check_calls.h"
#include "check/values/math_functions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer {

namespace {

using abi::CheckRule;

// A broken rule in one component of a vector, or in a scalar: the condition, an i1, and the two numbers of the report,
// both i64.
struct Broken {
  Value *condition, *value, *other;
};

unsigned componentsOf(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

Value *componentOf(IRBuilderBase &b, Value *value, unsigned i) {
  return value->getType()->isVectorTy() ? b.CreateExtractElement(value, i) : value;
}

// Returns the bits of the number as a double.
Value *asDouble(IRBuilderBase &b, Value *value) {
  return b.CreateBitCast(b.CreateFPCast(value, b.getDoubleTy()), b.getInt64Ty());
}

// Combines the tests of all components: the report's numbers are those of the first component that breaks the rule.
Broken anyOf(IRBuilderBase &b, unsigned components, function_ref<Broken(unsigned)> test) {
  Broken any = test(components - 1);
  for (unsigned i = components - 1; i-- > 0;) {
    const Broken one = test(i);
    any = {b.CreateOr(one.condition, any.condition), b.CreateSelect(one.condition, one.value, any.value),
           b.CreateSelect(one.condition, one.other, any.other)};
  }
  return any;
}

// Inserts the report, unless the condition is known to be false.
void reportBroken(const Broken &broken, Instruction &at, CheckRule rule, StringRef function, const DebugLoc &place) {
  if (const auto *known = dyn_cast<ConstantInt>(broken.condition); !known || known->isOne())
    reportIf(broken.condition, at, rule, function, broken.value, broken.other, {}, place);
}

// Reports integer divisions and remainders by zero, and signed ones that overflow: the least integer divided by -1.
void checkDivision(BinaryOperator &division) {
  const bool is_signed = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  const bool is_remainder = division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
  const StringRef name = is_remainder ? "remainder" : "division";
  const unsigned components = componentsOf(division.getType());
  const unsigned bits = division.getType()->getScalarSizeInBits();
  IRBuilder<> b(&division);
  const auto whole = [&](Value *value) { return b.CreateIntCast(value, b.getInt64Ty(), is_signed); };
  const auto byZero = [&](unsigned i) -> Broken {
    Value *divisor = componentOf(b, division.getOperand(1), i);
    return {b.CreateIsNull(divisor), whole(componentOf(b, division.getOperand(0), i)), b.getInt64(is_signed)};
  };
  reportBroken(anyOf(b, components, byZero), division, CheckRule::DivisionByZero, name, division.getDebugLoc());
  if (!is_signed)
    return;
  b.SetInsertPoint(&division);
  const auto overflows = [&](unsigned i) -> Broken {
    Value *dividend = componentOf(b, division.getOperand(0), i), *divisor = componentOf(b, division.getOperand(1), i);
    Value *least = b.CreateICmpEQ(dividend, b.getInt(APInt::getSignedMinValue(bits)));
    return {b.CreateAnd(least, b.CreateICmpEQ(divisor, b.getInt(APInt::getAllOnes(bits)))), whole(dividend),
            b.getInt64(is_signed)};
  };
  reportBroken(anyOf(b, components, overflows), division, CheckRule::DivisionOverflow, name, division.getDebugLoc());
}

// Returns whether two instructions come from the same place of the source. With -g Clang also numbers the instructions
// of a statement in their locations (DILocation's atoms), which makes locations of the same place unequal.
bool areAtSamePlace(const Instruction &a, const Instruction &b) {
  const DILocation *first = a.getDebugLoc().get(), *second = b.getDebugLoc().get();
  return first && second ? first->getWithoutAtom() == second->getWithoutAtom() : first == second;
}

// OpenCL C takes the amount of a shift modulo the width of the type, for which Clang inserts a mask with the location
// of the shift. The operand of that mask is the program's own amount, which is checked. Any other mask belongs to the
// program, which keeps the amount in range itself. SPIR-V has no such mask.
void checkShift(BinaryOperator &shift) {
  const unsigned width = shift.getType()->getScalarSizeInBits();
  Value *amount = shift.getOperand(1), *asked = nullptr;
  if (match(amount, m_And(m_Value(asked), m_SpecificInt(width - 1)))) {
    const auto *mask = dyn_cast<Instruction>(amount);
    if (!mask || !areAtSamePlace(*mask, shift) || !isPowerOf2_32(width))
      return;
    amount = asked;
  }
  IRBuilder<> b(&shift);
  const auto test = [&](unsigned i) -> Broken {
    Value *one = componentOf(b, amount, i);
    return {b.CreateICmpUGE(one, b.getIntN(one->getType()->getIntegerBitWidth(), width)),
            b.CreateSExt(one, b.getInt64Ty()), b.getInt64(width)};
  };
  reportBroken(anyOf(b, componentsOf(shift.getType()), test), shift, CheckRule::ShiftBeyondWidth, "shift",
               shift.getDebugLoc());
}

// Whether a number without a fraction fits into an integer type; false for NaN. A bound that the floating-point type
// cannot represent becomes an infinity.
Value *isInRange(IRBuilderBase &b, Value *number, unsigned bits, bool is_signed) {
  const fltSemantics &semantics = number->getType()->getFltSemantics();
  const APInt end = APInt::getOneBitSet(bits + 2, is_signed ? bits - 1 : bits);
  APFloat above(semantics), least(semantics);
  above.convertFromAPInt(end, true, APFloat::rmNearestTiesToEven);
  least.convertFromAPInt(is_signed ? -end : APInt(bits + 2, 0), true, APFloat::rmNearestTiesToEven);
  Value *is_below = b.CreateFCmpOLT(number, ConstantFP::get(number->getContext(), above));
  Constant *limit = ConstantFP::get(number->getContext(), least);
  return b.CreateAnd(is_below, least.isInfinity() ? b.CreateFCmpOGT(number, limit) : b.CreateFCmpOGE(number, limit));
}

// Checks a conversion to integers of the type `type`, after rounding by the intrinsic.
void checkConversion(Instruction &conversion, Value *from, const Type &type, bool is_signed, Intrinsic::ID rounding) {
  IRBuilder<> b(&conversion);
  const unsigned bits = type.getScalarSizeInBits();
  const auto test = [&](unsigned i) -> Broken {
    Value *number = componentOf(b, from, i);
    return {b.CreateNot(isInRange(b, b.CreateUnaryIntrinsic(rounding, number), bits, is_signed)), asDouble(b, number),
            b.getInt64(bits * 2 + is_signed)};
  };
  reportBroken(anyOf(b, componentsOf(from->getType()), test), conversion, CheckRule::ConversionOutOfRange, "conversion",
               conversion.getDebugLoc());
}

// Checks calls such as convert_int4_rte(). Saturating conversions have a result for every number.
void checkConversionCall(CallBase &call, StringRef name) {
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isFPOrFPVectorTy() ||
      !call.getType()->isIntOrIntVectorTy() || name.contains("_sat"))
    return;
  const Intrinsic::ID rounding = name.ends_with("_rte")   ? Intrinsic::roundeven
                                 : name.ends_with("_rtp") ? Intrinsic::ceil
                                 : name.ends_with("_rtn") ? Intrinsic::floor
                                                          : Intrinsic::trunc;
  checkConversion(call, call.getArgOperand(0), *call.getType(), !name.starts_with("convert_u"), rounding);
}

// Returns whether any of these numbers, or any component of these vectors, is NaN, an i1; null if there are none.
Value *anyNan(IRBuilderBase &b, ArrayRef<Value *> values) {
  Value *any = nullptr;
  for (Value *value : values)
    for (unsigned i = 0; i < componentsOf(value->getType()); ++i) {
      Value *one = componentOf(b, value, i);
      Value *is_nan = b.CreateFCmpUNO(one, ConstantFP::getZero(one->getType()));
      any = any ? b.CreateOr(any, is_nan) : is_nan;
    }
  return any;
}

// Reports a NaN that no operand was. Functions such as dot() combine all components, so any NaN among the operands
// excuses the result; otherwise each component is compared with the same component of the operands.
void checkNan(Instruction &result, ArrayRef<Value *> operands, StringRef name) {
  IRBuilder<> b(result.getNextNode());
  const unsigned components = componentsOf(result.getType());
  const bool is_mixed = any_of(operands, [&](Value *operand) { return componentsOf(operand->getType()) > components; });
  Value *all = is_mixed || components == 1 ? anyNan(b, operands) : nullptr;
  const auto test = [&](unsigned i) -> Broken {
    const auto own = [&](Value *operand) {
      return componentOf(b, operand, componentsOf(operand->getType()) > i ? i : 0);
    };
    SmallVector<Value *, 3> of_component;
    for (Value *operand : operands)
      of_component.push_back(own(operand));
    Value *before = all ? all : anyNan(b, of_component);
    return {b.CreateAnd(anyNan(b, {componentOf(b, &result, i)}), b.CreateNot(before)), asDouble(b, of_component[0]),
            operands.size() > 1 ? asDouble(b, of_component[1]) : b.getInt64(abi::kNoOperand)};
  };
  const Broken broken = anyOf(b, components, test);
  reportBroken(broken, *b.GetInsertPoint(), CheckRule::NanResult, name, result.getDebugLoc());
}

StringRef nameOf(const BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case Instruction::FAdd: return "addition";
  case Instruction::FSub: return "subtraction";
  case Instruction::FMul: return "multiplication";
  default: return "quotient";
  }
}

// Checks the result of a mathematical function with floating-point operands.
void checkMathCall(CallBase &call, StringRef name) {
  SmallVector<Value *, 3> operands;
  for (Value *argument : call.args())
    if (argument->getType()->isFPOrFPVectorTy())
      operands.push_back(argument);
  if (!operands.empty() && call.getType()->isFPOrFPVectorTy())
    checkNan(call, operands, name);
}

void check(Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem: return checkDivision(cast<BinaryOperator>(instruction));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: return checkShift(cast<BinaryOperator>(instruction));
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return checkConversion(instruction, instruction.getOperand(0), *instruction.getType(), isa<FPToSIInst>(instruction),
                           Intrinsic::trunc);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return checkNan(instruction, {instruction.getOperand(0), instruction.getOperand(1)},
                    nameOf(cast<BinaryOperator>(instruction)));
  case Instruction::Call:
    return checkNan(instruction, {instruction.getOperand(0), instruction.getOperand(1), instruction.getOperand(2)},
                    "multiplication and addition");
  default: return;
  }
}

bool isChecked(const Instruction &instruction) {
  return instruction.getDebugLoc() && (isa<BinaryOperator, FPToSIInst, FPToUIInst>(instruction) ||
                                       match(&instruction, m_Intrinsic<Intrinsic::fmuladd>()));
}

} // namespace

PreservedAnalyses CheckArithmeticPass::run(Function &function, FunctionAnalysisManager &) {
  if (function.isDeclaration())
    return PreservedAnalyses::all();
  const auto calls =
      findCalls(function, [](StringRef name) { return mayGiveNan(name) || name.starts_with("convert_"); });
  SmallVector<Instruction *> operations;
  for (Instruction &instruction : instructions(function))
    if (isChecked(instruction))
      operations.push_back(&instruction);
  for (Instruction *operation : reverse(operations))
    check(*operation);
  for (const auto &[call, name] : reverse(calls)) {
    if (call->getCalledFunction()->getSubprogram()) // a function of the program, which only has the name
      continue;
    if (name.starts_with("convert_"))
      checkConversionCall(*call, name);
    else
      checkMathCall(*call, name);
  }
  return PreservedAnalyses::none();
}

} // namespace lanecl::vectorizer
