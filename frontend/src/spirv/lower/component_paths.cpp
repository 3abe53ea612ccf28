// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A path such as `member 2, component 1` takes two instructions: one for the member, and one for the component in it.
#include "spirv/lower/component_paths.h"

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {
namespace {

using spv::Op;
using Code = std::vector<std::vector<uint32_t>>;

// Returns the number of the operand at which the path starts, or 0 if the instruction has no path.
size_t pathBegin(Op op) {
  return op == Op::OpCompositeExtract ? 3 : op == Op::OpCompositeInsert ? 4 : 0;
}

// Returns the type of the vector that the path leads to before its last index, which is a component. Returns 0 if the
// path ends in something else.
uint32_t vectorAtEnd(const Instruction &instruction, const Types &types) {
  const size_t begin = pathBegin(instruction.op);
  if (begin == 0 || instruction.operands.size() < begin + 2)
    return 0;
  uint32_t type = types.typeOf(instruction[begin - 1]);
  for (uint32_t index : instruction.from(begin).first(instruction.operands.size() - begin - 1))
    type = types.memberType(type, index);
  return types.isVector(type) ? type : 0;
}

// Returns the operands for the member alone: `first`, then the path without the component.
std::vector<uint32_t> memberOperands(const Instruction &instruction, std::initializer_list<uint32_t> first) {
  std::vector<uint32_t> operands(first);
  const auto path = instruction.from(pathBegin(instruction.op));
  operands.insert(operands.end(), path.begin(), path.end() - 1);
  return operands;
}

// Operands: %type %result %composite path
void splitExtract(const Instruction &extract, uint32_t vector_type, Module &module, Code &code) {
  const uint32_t vector = module.newId();
  code.push_back(encode(Op::OpCompositeExtract, memberOperands(extract, {vector_type, vector, extract[2]})));
  code.push_back(encode(Op::OpCompositeExtract, {extract[0], extract[1], vector, extract.operands.back()}));
}

// Operands: %type %result %object %composite path
void splitInsert(const Instruction &insert, uint32_t vector_type, Module &module, Code &code) {
  const uint32_t vector = module.newId(), changed = module.newId();
  code.push_back(encode(Op::OpCompositeExtract, memberOperands(insert, {vector_type, vector, insert[3]})));
  code.push_back(encode(Op::OpCompositeInsert, {vector_type, changed, insert[2], vector, insert.operands.back()}));
  code.push_back(encode(Op::OpCompositeInsert, memberOperands(insert, {insert[0], insert[1], changed, insert[3]})));
}

} // namespace

void splitComponentPaths(Module &module) {
  const Types types(module);
  Code code;
  bool is_changed = false;
  for (const Instruction &instruction : module.instructions()) {
    const uint32_t vector_type = vectorAtEnd(instruction, types);
    is_changed |= vector_type != 0;
    if (vector_type == 0)
      code.push_back(encode(instruction.op, instruction.operands));
    else if (instruction.op == Op::OpCompositeExtract)
      splitExtract(instruction, vector_type, module, code);
    else
      splitInsert(instruction, vector_type, module, code);
  }
  if (is_changed)
    module.replace(std::move(code));
}

} // namespace lanecl::frontend::spirv
