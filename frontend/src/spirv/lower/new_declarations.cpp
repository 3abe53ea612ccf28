// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/lower/new_declarations.h"

#include <algorithm>

namespace lanecl::frontend::spirv {

void NewDeclarations::note(const Instruction &instruction, size_t position) {
  switch (instruction.op) {
  case spv::Op::OpCapability: has_linkage |= spv::Capability(instruction[0]) == spv::Capability::Linkage; break;
  case spv::Op::OpName:
  case spv::Op::OpMemberName:
  case spv::Op::OpModuleProcessed:
  case spv::Op::OpDecorate:
  case spv::Op::OpMemberDecorate:
  case spv::Op::OpDecorationGroup:
  case spv::Op::OpGroupDecorate:
  case spv::Op::OpGroupMemberDecorate:
  case spv::Op::OpDecorateId: annotations = std::min(annotations, position); break;
  case spv::Op::OpFunction: functions = std::min(functions, position); break;
  default: break;
  }
  const auto op = unsigned(instruction.op);
  const bool is_type = (op >= unsigned(spv::Op::OpTypeVoid) && op <= unsigned(spv::Op::OpTypeForwardPointer)) ||
                       instruction.op == spv::Op::OpTypeNamedBarrier;
  if (is_type)
    type_section = std::min(type_section, position);
}

const NewDeclarations::Function &NewDeclarations::function(const std::string &name, const Code &signature) {
  if (const auto known = declared.find(name); known != declared.end())
    return known->second;
  const uint32_t function = module.newId();
  Code named{function};
  const Code text = literalWords(name);
  named.insert(named.end(), text.begin(), text.end());
  names.push_back(encode(spv::Op::OpName, named));
  Code linkage{function, uint32_t(spv::Decoration::LinkageAttributes)};
  linkage.insert(linkage.end(), text.begin(), text.end());
  linkage.push_back(uint32_t(spv::LinkageType::Import));
  decorations.push_back(encode(spv::Op::OpDecorate, linkage));
  declarations.push_back(encode(spv::Op::OpFunction, {signature[0], function, 0, functionType(signature)}));
  for (size_t i = 1; i < signature.size(); ++i)
    declarations.push_back(encode(spv::Op::OpFunctionParameter, {signature[i], module.newId()}));
  declarations.push_back(encode(spv::Op::OpFunctionEnd, {}));
  return declared[name] = {function, signature};
}

uint32_t NewDeclarations::voidType() {
  const uint32_t known = types.none();
  return known ? known : type(spv::Op::OpTypeVoid, {});
}

uint32_t NewDeclarations::uintType() {
  const uint32_t known = types.integer(32);
  return known ? known : type(spv::Op::OpTypeInt, {32, 0});
}

uint32_t NewDeclarations::functionType(const Code &signature) {
  const uint32_t known = types.function(signature);
  return known ? known : type(spv::Op::OpTypeFunction, signature);
}

uint32_t NewDeclarations::type(spv::Op op, const Code &description) {
  uint32_t &type = new_types[{op, description}];
  if (type == 0) {
    type = module.newId();
    Code operands{type};
    operands.insert(operands.end(), description.begin(), description.end());
    type_declarations.push_back(encode(op, operands));
  }
  return type;
}

uint32_t NewDeclarations::value(spv::Op op, uint32_t type, const Code &literals) {
  Code description{type};
  description.insert(description.end(), literals.begin(), literals.end());
  uint32_t &value = new_values[{op, description}];
  if (value == 0) {
    value = module.newId();
    description.insert(description.begin() + 1, value);
    type_declarations.push_back(encode(op, description));
  }
  return value;
}

static void insertAt(size_t place, const std::vector<NewDeclarations::Code> &instructions,
                     std::vector<NewDeclarations::Code> &code) {
  const size_t position = std::min(place, code.size());
  code.insert(code.begin() + ptrdiff_t(position), instructions.begin(), instructions.end());
}

// Inserts from the end to the start, so that earlier positions remain valid.
void NewDeclarations::insertInto(std::vector<Code> &code) const {
  insertAt(functions, declarations, code);
  insertAt(functions, type_declarations, code);
  if (declared.empty())
    return;
  insertAt(type_section, decorations, code);
  insertAt(std::min(annotations, type_section), names, code);
  if (!has_linkage)
    insertAt(0, {encode(spv::Op::OpCapability, {uint32_t(spv::Capability::Linkage)})}, code);
}

} // namespace lanecl::frontend::spirv
