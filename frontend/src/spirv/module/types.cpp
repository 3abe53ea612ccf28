// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collects the types, constants and result types of a module in one pass.
#define SPV_ENABLE_UTILITY_CODE
#include "spirv/module/types.h"

#include "spirv/module/constants.h"

namespace lanecl::frontend::spirv {

// Whether the instruction has a result, with or without a type.
static bool hasResult(spv::Op op) {
  bool has_result = false, has_type = false;
  spv::HasResultAndType(op, &has_result, &has_type);
  return has_result;
}

// SPIR-V's own function does not know the newest instructions, which are listed first.
bool hasResultType(spv::Op op) {
  switch (op) {
  case kOpConvertFToBF16:
  case kOpConvertBF16ToF:
  case kOpFSigmoid:
  case kOpMatrixMultiplyAccumulate:
  case kOpRoundFToTF32: return true;
  default: break;
  }
  bool has_result = false, has_type = false;
  spv::HasResultAndType(op, &has_result, &has_type);
  return has_type;
}

// Ids are defined before they are used, so one pass in order also evaluates constants.
Types::Types(const Module &module) {
  for (const Instruction &instruction : module.instructions()) {
    if (hasResultType(instruction.op)) {
      value_types[instruction[1]] = instruction[0];
      definitions[instruction[1]] = &instruction;
      if (const auto value = constantValue(instruction, *this))
        values[instruction[1]] = *value;
    } else if (hasResult(instruction.op)) {
      definitions[instruction[0]] = &instruction;
    }
    if (instruction.op == spv::Op::OpTypeFunction && !instruction.operands.empty())
      functions[{instruction.operands.begin() + 1, instruction.operands.end()}] = instruction[0];
  }
}

const Instruction *Types::find(uint32_t id) const {
  const auto found = definitions.find(id);
  return found != definitions.end() ? found->second : nullptr;
}

// Returns the opcode of a type's declaration, or OpNop for an id that is not defined.
spv::Op Types::opOf(uint32_t type) const {
  const Instruction *definition = find(type);
  return definition ? definition->op : spv::Op::OpNop;
}

uint32_t Types::typeOf(uint32_t value) const {
  const auto found = value_types.find(value);
  return found != value_types.end() ? found->second : 0;
}

uint32_t Types::componentCount(uint32_t type) const {
  constexpr uint32_t kLongest = 16;
  const uint32_t count = isVector(type) ? (*find(type))[2] : 0;
  return count <= kLongest ? count : 0;
}

uint32_t Types::width(uint32_t type) const {
  return isInteger(type) || isFloat(type) ? (*find(type))[1] : 0;
}

spv::StorageClass Types::storageClass(uint32_t type) const {
  return isPointer(type) ? spv::StorageClass((*find(type))[1]) : spv::StorageClass::Max;
}

uint32_t Types::memberCount(uint32_t type) const {
  switch (opOf(type)) {
  case spv::Op::OpTypeStruct: return uint32_t(find(type)->from(1).size());
  case spv::Op::OpTypeArray: return constant((*find(type))[2]).value_or(0);
  default: return 0;
  }
}

uint32_t Types::memberType(uint32_t type, uint32_t index) const {
  return (*find(type))[opOf(type) == spv::Op::OpTypeStruct ? index + 1 : 1];
}

uint32_t Types::integer(uint32_t bits) const {
  for (const auto &[id, definition] : definitions)
    if (definition->op == spv::Op::OpTypeInt && (*definition)[1] == bits)
      return id;
  return 0;
}

// Types with a third operand, the encoding, are not IEEE 754 types: bfloat16 is one of them.
uint32_t Types::floating(uint32_t bits) const {
  for (const auto &[id, definition] : definitions)
    if (definition->op == spv::Op::OpTypeFloat && definition->operands.size() == 2 && (*definition)[1] == bits)
      return id;
  return 0;
}

uint32_t Types::vector(uint32_t component, uint32_t count) const {
  for (const auto &[id, definition] : definitions)
    if (definition->op == spv::Op::OpTypeVector && (*definition)[1] == component && (*definition)[2] == count)
      return id;
  return 0;
}

uint32_t Types::none() const {
  for (const auto &[id, definition] : definitions)
    if (definition->op == spv::Op::OpTypeVoid)
      return id;
  return 0;
}

std::optional<uint64_t> Types::value(uint32_t id) const {
  const auto found = values.find(id);
  return found != values.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<uint32_t> Types::constant(uint32_t id) const {
  // A boolean constant has a value, too, but is not a number.
  const auto found = isInteger(typeOf(id)) ? value(id) : std::nullopt;
  return found ? std::optional(uint32_t(*found)) : std::nullopt;
}

uint32_t Types::constituent(uint32_t composite, uint32_t index) const {
  const Instruction *definition = find(composite);
  const bool is_composite = definition && (definition->op == spv::Op::OpConstantComposite ||
                                           definition->op == spv::Op::OpSpecConstantComposite);
  return is_composite ? (*definition)[2 + size_t(index)] : 0;
}

std::string Types::mangled(uint32_t type, bool is_unsigned) const {
  if (isVector(type)) {
    // A module that is not valid may have vectors of vectors.
    const uint32_t component = componentType(type);
    const std::string element = isVector(component) ? std::string() : mangled(component, is_unsigned);
    return element.empty() ? element : "Dv" + std::to_string(componentCount(type)) + "_" + element;
  }
  switch (width(type)) {
  case 8: return is_unsigned ? "h" : "c";
  case 16: return isFloat(type) ? "Dh" : is_unsigned ? "t" : "s";
  case 32: return isFloat(type) ? "f" : is_unsigned ? "j" : "i";
  case 64: return isFloat(type) ? "d" : is_unsigned ? "m" : "l";
  default: return {};
  }
}

std::string Types::mangledSpace(uint32_t pointer_type) const {
  if (opOf(pointer_type) != spv::Op::OpTypePointer)
    return {};
  // The numbers are those of Clang's address spaces for SPIR.
  switch (spv::StorageClass((*find(pointer_type))[1])) {
  case spv::StorageClass::CrossWorkgroup: return "U3AS1";
  case spv::StorageClass::Workgroup: return "U3AS3";
  case spv::StorageClass::Generic: return "U3AS4";
  default: return {};
  }
}

uint32_t Types::function(const std::vector<uint32_t> &types) const {
  const auto found = functions.find(types);
  return found != functions.end() ? found->second : 0;
}

} // namespace lanecl::frontend::spirv
