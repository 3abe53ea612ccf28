// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A name is changed by a prefix, in OpName and in the decoration LinkageAttributes.
#include "spirv/lower/rename_helpers.h"

#include <cctype>

namespace lanecl::frontend::spirv {
namespace {

constexpr std::string_view kHelper = "spirv.llvm_";

// Whether the name contains a pointer without a type, such as "_p1" in "_p1_i64".
bool hasPlainPointer(std::string_view name) {
  for (size_t at = name.find("_p"); at != std::string_view::npos; at = name.find("_p", at + 1)) {
    size_t end = at + 2;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])))
      ++end;
    if (end > at + 2 && (end == name.size() || name[end] == '_'))
      return true;
  }
  return false;
}

// Returns the operand at which a name starts, or 0 if the instruction has no name.
size_t placeOfName(const Instruction &instruction) {
  if (instruction.op == spv::Op::OpName)
    return 1;
  return instruction.op == spv::Op::OpDecorate && spv::Decoration(instruction[1]) == spv::Decoration::LinkageAttributes
             ? 2
             : 0;
}

} // namespace

void renameHelpers(Module &module) {
  std::vector<std::vector<uint32_t>> code;
  bool renamed = false;
  for (const Instruction &instruction : module.instructions()) {
    const size_t place = placeOfName(instruction);
    const std::string name = place != 0 ? literalString(instruction, place) : std::string();
    if (!name.starts_with(kHelper) || !hasPlainPointer(name)) {
      code.push_back(encode(instruction.op, instruction.operands));
      continue;
    }
    const size_t old_words = literalWords(name).size();
    std::vector<uint32_t> operands(instruction.upTo(place).begin(), instruction.upTo(place).end());
    const std::vector<uint32_t> words = literalWords("helper." + name);
    operands.insert(operands.end(), words.begin(), words.end());
    const std::span<const uint32_t> rest = instruction.from(place + old_words);
    operands.insert(operands.end(), rest.begin(), rest.end());
    code.push_back(encode(instruction.op, operands));
    renamed = true;
  }
  if (renamed)
    module.replace(std::move(code));
}

} // namespace lanecl::frontend::spirv
