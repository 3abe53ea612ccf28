// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lanes/arithmetic/divide.h"

#include "llvm/IR/PatternMatch.h"

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lanecl::vectorizer::lanes {
namespace {

bool isSigned(Instruction::BinaryOps opcode) {
  return opcode == Instruction::SDiv || opcode == Instruction::SRem;
}
bool isRemainder(Instruction::BinaryOps opcode) {
  return opcode == Instruction::URem || opcode == Instruction::SRem;
}

// Returns whether the divisor is a constant other than 0 and -1. LLVM turns such a division into multiplications and
// shifts, which cannot trap.
bool isHarmlessConstant(Value *divisor) {
  return match(divisor, m_CheckedInt([](const APInt &value) { return !value.isZero() && !value.isAllOnes(); }));
}

// Returns x / y truncated toward zero, computed in a floating-point type whose significand holds every x and y exactly.
// Rounding cannot reach the next integer: a quotient that is no integer is at least 1/y away from it, which is far more
// than half a unit in the last place.
Value *divideAsFloat(IRBuilderBase &b, bool with_sign, Value *x, Value *y, Type *floating) {
  Value *quotient = with_sign ? b.CreateFDiv(b.CreateSIToFP(x, floating), b.CreateSIToFP(y, floating))
                              : b.CreateFDiv(b.CreateUIToFP(x, floating), b.CreateUIToFP(y, floating));
  // A zero divisor gives infinity or NaN, whose conversion is poison. The freeze makes it some number.
  return b.CreateFreeze(with_sign ? b.CreateFPToSI(quotient, x->getType()) : b.CreateFPToUI(quotient, x->getType()));
}

} // namespace

Value *emitSafeDivision(IRBuilderBase &b, Instruction::BinaryOps opcode, Value *x, Value *y) {
  assert(Instruction::isIntDivRem(opcode) && x->getType() == y->getType() && "a division of integers");
  if (isHarmlessConstant(y))
    return b.CreateBinOp(opcode, x, y);
  // The divisor of an inactive lane may be poison, which would make the division undefined for all lanes.
  y = b.CreateFreeze(y);
  Type *type = y->getType();
  Value *unsafe = b.CreateICmpEQ(y, Constant::getNullValue(type));
  Value *minus_one = nullptr;
  if (isSigned(opcode)) {
    minus_one = b.CreateICmpEQ(y, Constant::getAllOnesValue(type));
    unsafe = b.CreateOr(unsafe, minus_one);
  }
  Value *result = b.CreateBinOp(opcode, x, b.CreateSelect(unsafe, ConstantInt::get(type, 1), y));
  if (minus_one == nullptr || isRemainder(opcode))
    return result;
  return b.CreateSelect(minus_one, b.CreateNeg(x), result);
}

Value *emitDivision(const LaneContext &c, Instruction::BinaryOps opcode, Value *x, Value *y) {
  assert(Instruction::isIntDivRem(opcode) && x->getType() == y->getType() && hasLanes(c, x) && "a division of lanes");
  IRBuilderBase &b = c.b;
  const unsigned bits = x->getType()->getScalarSizeInBits();
  if (isHarmlessConstant(y))
    return b.CreateBinOp(opcode, x, y);
  if (bits > 32)
    return emitSafeDivision(b, opcode, x, y);
  Type *floating = c.vectorOf(bits <= 16 ? b.getFloatTy() : b.getDoubleTy());
  Value *quotient = divideAsFloat(b, isSigned(opcode), x, y, floating);
  return isRemainder(opcode) ? b.CreateSub(x, b.CreateMul(quotient, y)) : quotient;
}

} // namespace lanecl::vectorizer::lanes
