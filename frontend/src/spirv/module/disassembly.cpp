// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Disassembles with SPIRV-Tools. The byte offsets in its output tell where each instruction starts, since an
// instruction may take several lines.
#include "spirv/module/disassembly.h"

#include "spirv/module/instruction_names.h"

#include <optional>
#include <spirv-tools/libspirv.hpp>

namespace lanecl::frontend::spirv {
namespace {

constexpr uint32_t kOptions = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_INDENT |
                              SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET;

// Appends the text of one instruction, which may take several lines because of its strings.
void add(Disassembly &disassembly, uint32_t &line, std::string_view text) {
  const size_t indentation = std::min(text.find_first_not_of(' '), text.size());
  disassembly.places.push_back({line, uint32_t(indentation + 1)});
  disassembly.text += text;
  disassembly.text += '\n';
  line += uint32_t(std::ranges::count(text, '\n')) + 1;
}

// Returns the comment that the disassembler writes after the instruction that starts at this byte offset.
std::string markOf(size_t byte) {
  std::string digits(8, '0');
  for (size_t i = digits.size(); byte != 0 && i-- > 0; byte >>= 4)
    digits[i] = "0123456789abcdef"[byte & 15];
  return " ; 0x" + digits;
}

// Returns nothing when the disassembler does not know some instruction.
std::optional<Disassembly> byDisassembler(const Module &module) {
  const std::vector<uint32_t> words = module.binary();
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](auto &&...) {}); // instead of printing to standard error
  std::string text;
  if (!tools.Disassemble(words, &text, kOptions))
    return std::nullopt;
  Disassembly result;
  uint32_t line = 1;
  size_t from = 0, byte = module.headerBytes();
  for (const Instruction &instruction : module.instructions()) {
    const std::string mark = markOf(byte);
    const size_t end = text.find(mark, from);
    if (end == std::string::npos)
      return std::nullopt;
    add(result, line, std::string_view(text).substr(from, end - from));
    from = std::min(text.find('\n', end), text.size() - 1) + 1;
    byte += (instruction.operands.size() + 1) * sizeof(uint32_t);
  }
  return result;
}

// Writes each instruction on a line: its name and its operands as numbers.
Disassembly byNumbers(const Module &module) {
  Disassembly result;
  uint32_t line = 1;
  for (const Instruction &instruction : module.instructions()) {
    std::string text = nameOf(instruction.op);
    for (uint32_t operand : instruction.operands)
      text += " " + std::to_string(operand);
    add(result, line, text);
  }
  return result;
}

} // namespace

Disassembly disassemble(const Module &module) {
  std::optional<Disassembly> result = byDisassembler(module);
  return result ? std::move(*result) : byNumbers(module);
}

} // namespace lanecl::frontend::spirv
