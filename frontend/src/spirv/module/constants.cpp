// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values are kept as unsigned 64-bit numbers. Narrower integers are computed with 64 bits, too, and cut off at the end.
#include "spirv/module/constants.h"

#include <cassert>

namespace lanecl::frontend::spirv {
namespace {

using Wide = __int128; // wide enough for every quotient and product of 64-bit numbers

// Evaluates an OpSpecConstantOp, whose operands are %type %result op operands…
class SpecConstantOp {
public:
  SpecConstantOp(const Instruction &instruction, const Types &types) : instruction(instruction), types(types) {}

  // Returns the value, or nothing if an operand has none or the operation is not known here.
  std::optional<uint64_t> value() const {
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpCompositeExtract: return extracted();
    case spv::Op::OpSelect: return selected();
    case spv::Op::OpSConvert:
    case spv::Op::OpUConvert:
    case spv::Op::OpNot:
    case spv::Op::OpSNegate:
    case spv::Op::OpLogicalNot: return ofOne();
    default: return ofTwo();
    }
  }

private:
  uint32_t operand(size_t index) const { return instruction[3 + index]; }
  std::optional<uint64_t> number(size_t index) const { return types.value(operand(index)); }

  // Returns the width of an integer operand, or 0 for one of another type or, in a module that is not valid, of a width
  // that has no value here.
  uint32_t width(size_t index) const {
    const uint32_t type = types.typeOf(operand(index)), bits = types.isInteger(type) ? types.width(type) : 0;
    return bits <= 64 ? bits : 0;
  }

  // Returns the value with the sign of its highest of `bits` bits.
  static Wide extended(uint64_t value, uint32_t bits) {
    assert(bits != 0 && bits <= 64 && "the value has no sign");
    const uint32_t unused = 64 - bits;
    return int64_t(value << unused) >> unused;
  }

  // Evaluates OpCompositeExtract: the element of a constant vector, array or structure.
  std::optional<uint64_t> extracted() const {
    uint32_t part = operand(0);
    for (uint32_t index : instruction.from(4))
      part = types.constituent(part, index);
    return types.value(part);
  }

  // Evaluates OpSelect.
  std::optional<uint64_t> selected() const {
    const auto condition = number(0);
    return condition ? number(*condition != 0 ? 1 : 2) : std::nullopt;
  }

  // Evaluates an operation on one operand.
  std::optional<uint64_t> ofOne() const {
    const auto a = number(0);
    if (!a)
      return std::nullopt;
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpSConvert: return width(0) != 0 ? std::optional(uint64_t(extended(*a, width(0)))) : std::nullopt;
    case spv::Op::OpNot: return ~*a;
    case spv::Op::OpSNegate: return 0 - *a;
    case spv::Op::OpLogicalNot: return *a == 0;
    default: return a;
    }
  }

  // Evaluates an operation on two operands, which are both booleans or both integers.
  std::optional<uint64_t> ofTwo() const {
    const auto a = number(0), b = number(1);
    if (!a || !b)
      return std::nullopt;
    if (types.isBoolean(types.typeOf(operand(0))))
      return ofTruthValues(*a, *b);
    if (width(0) == 0 || width(1) == 0)
      return std::nullopt;
    return ofIntegers(*a, *b, extended(*a, width(0)), extended(*b, width(1)));
  }

  // Evaluates an operation on booleans, which are 0 or 1.
  std::optional<uint64_t> ofTruthValues(uint64_t a, uint64_t b) const {
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpLogicalAnd: return a & b;
    case spv::Op::OpLogicalOr: return a | b;
    case spv::Op::OpLogicalEqual: return a == b;
    case spv::Op::OpLogicalNotEqual: return a != b;
    default: return std::nullopt;
    }
  }

  // Evaluates an operation on integers, given as unsigned numbers `a` and `b` and as signed numbers `x` and `y`.
  std::optional<uint64_t> ofIntegers(uint64_t a, uint64_t b, Wide x, Wide y) const {
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpIAdd: return a + b;
    case spv::Op::OpISub: return a - b;
    case spv::Op::OpIMul: return a * b;
    case spv::Op::OpBitwiseAnd: return a & b;
    case spv::Op::OpBitwiseOr: return a | b;
    case spv::Op::OpBitwiseXor: return a ^ b;
    case spv::Op::OpIEqual: return a == b;
    case spv::Op::OpINotEqual: return a != b;
    case spv::Op::OpULessThan: return a < b;
    case spv::Op::OpUGreaterThan: return a > b;
    case spv::Op::OpULessThanEqual: return a <= b;
    case spv::Op::OpUGreaterThanEqual: return a >= b;
    case spv::Op::OpSLessThan: return x < y;
    case spv::Op::OpSGreaterThan: return x > y;
    case spv::Op::OpSLessThanEqual: return x <= y;
    case spv::Op::OpSGreaterThanEqual: return x >= y;
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic: return shifted(a, b, x);
    default: return b != 0 ? divided(a, b, x, y) : dividedByZero(a);
    }
  }

  // Shifts by `b` modulo the width, as code at run time does.
  std::optional<uint64_t> shifted(uint64_t a, uint64_t b, Wide x) const {
    if (!types.isInteger(instruction[0])) // only in a module that is not valid
      return std::nullopt;
    b &= types.width(instruction[0]) - 1;
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpShiftLeftLogical: return a << b;
    case spv::Op::OpShiftRightLogical: return a >> b;
    default: return uint64_t(x >> b);
    }
  }

  // Evaluates a division or remainder with a divisor that is not zero. The quotient of the lowest 64-bit number and -1
  // fits the wide type.
  std::optional<uint64_t> divided(uint64_t a, uint64_t b, Wide x, Wide y) const {
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpUDiv: return a / b;
    case spv::Op::OpUMod: return a % b;
    case spv::Op::OpSDiv: return uint64_t(x / y);
    case spv::Op::OpSRem: return uint64_t(x % y);
    case spv::Op::OpSMod: return uint64_t((x % y + y) % y); // the result has the sign of the divisor
    default: return std::nullopt;
    }
  }

  // SPIR-V leaves these results undefined. They are those that the vectorizer gives to divisions at run time.
  std::optional<uint64_t> dividedByZero(uint64_t a) const {
    switch (spv::Op(instruction[2])) {
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv: return ~uint64_t(0);
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod: return a;
    default: return std::nullopt;
    }
  }

  const Instruction &instruction;
  const Types &types;
};

// Returns the value of an OpConstant, whose literal takes one or two words.
std::optional<uint64_t> literal(const Instruction &constant, uint32_t bits) {
  if (bits == 0)
    return std::nullopt;
  return bits > 32 ? uint64_t(constant[3]) << 32 | constant[2] : constant[2];
}

} // namespace

std::optional<uint64_t> constantValue(const Instruction &constant, const Types &types) {
  const uint32_t type = constant[0], bits = types.isInteger(type) ? types.width(type) : 0;
  if (!types.isBoolean(type) && (bits == 0 || bits > 64))
    return std::nullopt;
  std::optional<uint64_t> value;
  switch (constant.op) {
  case spv::Op::OpConstant:
  case spv::Op::OpSpecConstant: value = literal(constant, bits); break;
  case spv::Op::OpConstantNull:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpSpecConstantFalse: value = 0; break;
  case spv::Op::OpConstantTrue:
  case spv::Op::OpSpecConstantTrue: value = 1; break;
  case spv::Op::OpSpecConstantOp: value = SpecConstantOp(constant, types).value(); break;
  default: break;
  }
  // The operations above leave arbitrary bits beyond the width.
  if (value && bits != 0 && bits < 64)
    *value &= (uint64_t(1) << bits) - 1;
  return value;
}

} // namespace lanecl::frontend::spirv
