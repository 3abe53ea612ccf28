// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/translator/complaint.h"

#include "spirv/module/instruction_names.h"

#include <cstdlib>
#include <optional>

namespace lanecl::frontend::spirv {
namespace {

// Returns the text that follows `beginning` in `text`.
std::optional<std::string> behind(const std::string &text, std::string_view beginning) {
  const size_t at = text.find(beginning);
  return at == std::string::npos ? std::nullopt : std::optional(text.substr(at + beginning.size()));
}

// Names the function of LLVM that the module declares. LLVM expects other types for it than SPIR-V can express.
std::string intrinsicOf(const Module &module) {
  for (const Instruction &instruction : module.instructions())
    if (instruction.op == spv::Op::OpDecorate && spv::Decoration(instruction[1]) == spv::Decoration::LinkageAttributes)
      if (const std::string name = literalString(instruction, 2); name.starts_with("llvm."))
        return "function " + name;
  return {};
}

// Names the operation that computes the initial value of a variable.
std::string initializerOf(const Module &module) {
  std::map<uint32_t, spv::Op> computed;
  for (const Instruction &instruction : module.instructions())
    if (instruction.op == spv::Op::OpSpecConstantOp)
      computed[instruction[1]] = spv::Op(instruction[2]);
    else if (const auto value = computed.find(instruction[3]);
             instruction.op == spv::Op::OpVariable && value != computed.end())
      return "OpSpecConstantOp with " + nameOf(value->second) + " for a variable of another type";
  return {};
}

// Finds the translator's known messages in its output, and returns what they are about.
std::string subjectOf(const std::string &complaint, const Module &module) {
  if (const auto number = behind(complaint, "Unimplemented opcode "))
    return "instruction " + nameOf(spv::Op(std::strtoul(number->c_str(), nullptr, 10)));
  if (behind(complaint, "Intrinsic "))
    return intrinsicOf(module);
  return behind(complaint, "Global variable initializer ") ? initializerOf(module) : std::string();
}

} // namespace

std::string meaningOf(const std::string &complaint, const Module &module) {
  const std::string subject = subjectOf(complaint, module);
  return subject.empty() ? std::string()
                         : "error: the module uses " + subject + ", which the device does not support\n";
}

} // namespace lanecl::frontend::spirv
