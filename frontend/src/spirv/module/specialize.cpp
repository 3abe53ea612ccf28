// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Specialization constants are found by their decoration SpecId.
#include "spirv/module/specialize.h"

#include <algorithm>
#include <cstring>

namespace lanecl::frontend::spirv {
namespace {

// The operand of OpSpecConstant that holds the value, after the result type and the result.
constexpr size_t kValue = 2;

// Whether the instruction is a boolean specialization constant.
bool isBoolean(const Instruction &instruction) {
  return instruction.op == spv::Op::OpSpecConstantTrue || instruction.op == spv::Op::OpSpecConstantFalse;
}

// Returns the widths of scalar types in bits, by the ids of the types.
std::map<uint32_t, uint32_t> scalarWidths(const Module &module) {
  std::map<uint32_t, uint32_t> widths;
  for (const Instruction &instruction : module.instructions())
    if (instruction.op == spv::Op::OpTypeInt || instruction.op == spv::Op::OpTypeFloat)
      widths[instruction[0]] = instruction[1];
  return widths;
}

// Returns the constant with the value given by these bytes. A boolean's value is in the instruction's opcode.
std::vector<uint32_t> withValue(const Instruction &constant, const std::string &value) {
  if (isBoolean(constant)) {
    const bool chosen = std::any_of(value.begin(), value.end(), [](char c) { return c != 0; });
    return encode(chosen ? spv::Op::OpSpecConstantTrue : spv::Op::OpSpecConstantFalse, constant.operands);
  }
  // Narrow values are in the low bits of a word. The other bits are 0, because OpenCL's integer types have no
  // signedness.
  std::vector<uint32_t> operands(constant.upTo(kValue).begin(), constant.upTo(kValue).end());
  operands.resize(kValue + (value.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  std::memcpy(operands.data() + kValue, value.data(), value.size());
  return encode(constant.op, operands);
}

} // namespace

std::optional<size_t> constantSize(const Module &module, uint32_t number) {
  const auto numbers = specializationIds(module);
  const auto widths = scalarWidths(module);
  for (const Instruction &instruction : module.instructions()) {
    const bool is_number = instruction.op == spv::Op::OpSpecConstant;
    if (!is_number && !isBoolean(instruction))
      continue;
    const auto found = numbers.find(instruction[1]);
    if (found == numbers.end() || found->second != number)
      continue;
    const auto width = widths.find(instruction[0]);
    return is_number && width != widths.end() ? width->second / 8 : 1;
  }
  return std::nullopt;
}

void specialize(Module &module, const SpecializationValues &values) {
  if (values.empty())
    return;
  const auto numbers = specializationIds(module);
  std::vector<std::vector<uint32_t>> instructions;
  for (const Instruction &instruction : module.instructions()) {
    const bool is_constant = instruction.op == spv::Op::OpSpecConstant || isBoolean(instruction);
    const auto number = is_constant ? numbers.find(instruction[1]) : numbers.end();
    const auto value = number != numbers.end() ? values.find(number->second) : values.end();
    instructions.push_back(value != values.end() ? withValue(instruction, value->second)
                                                 : encode(instruction.op, instruction.operands));
  }
  module.replace(std::move(instructions));
}

} // namespace lanecl::frontend::spirv
