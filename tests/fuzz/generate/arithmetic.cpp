// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic in a given type, by operators and by functions.
#include "generate/maker.h"

#include <algorithm>

namespace lanecl::fuzz {

// Returns an operation on floating-point numbers. Relaxed kernels use only those that keep whole numbers whole.
ExprPtr Maker::onNumbers(Type type, Level level, unsigned depth) {
  const std::vector<Op> ops{Op::Add,  Op::Add,   Op::Add,    Op::Sub,      Op::Sub,           Op::Mul,   Op::Mul,
                            Op::Mul,  Op::Fma,   Op::Fma,    Op::Fma,      Op::Div,           Op::Min,   Op::Max,
                            Op::Fmin, Op::Fmax,  Op::Negate, Op::Fabs,     Op::Sqrt,          Op::Floor, Op::Ceil,
                            Op::Rint, Op::Trunc, Op::Round,  Op::Copysign, Op::SelectFunction};
  Op op = pick(ops);
  if (!allows(op) || (kernel.relaxed && (op == Op::Div || op == Op::Sqrt || op == Op::Copysign)))
    op = Op::Add;
  std::vector<ExprPtr> args{expr(type, level, depth)};
  while (args.size() < infoOf(op).operands)
    args.push_back(chance(20) ? anyConstant(type) : expr(type, level, depth));
  if (op == Op::SelectFunction)
    args[2] = expr({chance(50) ? maskOf(type.base) : unsignedOf(maskOf(type.base)), type.lanes}, level, depth);
  return operation(op, type, std::move(args));
}

// Returns a divisor that the program itself keeps from being zero, which it otherwise often would be: max(e & 3, 1).
static ExprPtr nonZero(Maker &m, Type type, ExprPtr e) {
  return m.operation(Op::Max, type,
                     {m.operation(Op::And, type, {std::move(e), m.constant(type, 3)}), m.constant(type, 1)});
}

// Returns an operation. The right operand of one on integers is often a constant that changes the result in an
// interesting way, see revealingNumber().
ExprPtr Maker::arithmetic(Type type, Level level, unsigned depth) {
  if (!isInteger(type.base))
    return onNumbers(type, level, depth);
  if (below(100) < choices.functions)
    return functionCall(type, level, depth);
  if (chance(8))
    return operation(chance(60) ? Op::Complement : Op::Negate, type, {expr(type, level, depth)});
  const std::vector<Op> ops{Op::Add, Op::Add, Op::Add, Op::Sub, Op::Sub, Op::Mul, Op::Mul, Op::Div,
                            Op::Rem, Op::And, Op::And, Op::Or,  Op::Xor, Op::Shl, Op::Shr};
  const Op op = pick(ops);
  ExprPtr left = expr(type, level, depth);
  if (chance(50))
    return operation(op, type, {left, constant(type, revealingNumber(op, type))});
  if ((op == Op::Shl || op == Op::Shr) && type.lanes == 1 && chance(50))
    return operation(op, type, {left, expr(kInt, level, depth)});
  const ExprPtr right = expr(type, level, depth);
  const bool divides = op == Op::Div || op == Op::Rem;
  return operation(op, type, {left, divides && allows(Op::Max) && chance(30) ? nonZero(*this, type, right) : right});
}

// Returns a call of one of OpenCL C's functions on integers. Functions that do not exist for the type become min().
ExprPtr Maker::functionCall(Type type, Level level, unsigned depth) {
  const std::vector<Op> all{Op::Min,       Op::Min,
                            Op::Max,       Op::Max,
                            Op::Clamp,     Op::Abs,
                            Op::AbsDiff,   Op::AddSat,
                            Op::SubSat,    Op::Hadd,
                            Op::Rhadd,     Op::MulHi,
                            Op::MadHi,     Op::MadSat,
                            Op::Mul24,     Op::Mad24,
                            Op::Rotate,    Op::Popcount,
                            Op::Clz,       Op::Ctz,
                            Op::Bitselect, Op::SelectFunction,
                            Op::Upsample};
  Op op = pick(all);
  const bool narrow = (op == Op::Mul24 || op == Op::Mad24) && bitsOf(type.base) != 32;
  const bool no_abs = (op == Op::Abs || op == Op::AbsDiff) && isSigned(type.base);
  if (!allows(op) || narrow || no_abs || (op == Op::Upsample && bitsOf(type.base) == 8))
    op = Op::Min;
  const auto operand = [&](Type of) { return chance(30) ? anyConstant(of) : expr(of, level, depth); };
  const Type other = chance(50) && (op == Op::Abs || op == Op::AbsDiff) ? signedOf(type) : type;
  switch (op) {
  case Op::Upsample: {
    const Base half = Base(unsigned(type.base) - 2);
    return operation(op, type, {expr({half, type.lanes}, level, depth), operand({unsignedOf(half), type.lanes})});
  }
  case Op::SelectFunction:
    return operation(
        op, type,
        {expr(type, level, depth), operand(type), expr(chance(50) ? signedOf(type) : unsignedOf(type), level, depth)});
  default: break;
  }
  std::vector<ExprPtr> args{expr(other, level, depth)};
  while (args.size() < infoOf(op).operands)
    args.push_back(operand(other));
  return operation(op, type, std::move(args));
}

} // namespace lanecl::fuzz
