// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and writes the words of a module (SPIR-V specification, "Physical Layout of a SPIR-V Module and Instruction").
#include "spirv/module/module.h"

#include <cstring>

namespace lanecl::frontend::spirv {
namespace {

// Returns the word with its bytes in the other order.
uint32_t swapped(uint32_t word) {
  return __builtin_bswap32(word);
}

} // namespace

std::vector<uint32_t> encode(spv::Op op, std::span<const uint32_t> operands) {
  std::vector<uint32_t> words{uint32_t(operands.size() + 1) << 16 | uint32_t(op)};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

// A string is stored with its first character in the lowest byte of the first word, whatever the byte order.
std::string literalString(const Instruction &instruction, size_t operand) {
  std::string text;
  for (size_t i = operand; i < instruction.operands.size(); ++i)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char c = char(instruction.operands[i] >> shift & 0xff);
      if (c == '\0')
        return text;
      text += c;
    }
  return text;
}

std::vector<uint32_t> literalWords(std::string_view text) {
  std::vector<uint32_t> words(text.size() / 4 + 1);
  for (size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= uint32_t(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  return words;
}

// Words in the other byte order are swapped, as the magic number tells.
bool Module::parse(std::string_view bytes, Module &module, std::string &error) {
  const auto fail = [&](std::string message) {
    error = "error: " + std::move(message) + "\n";
    return false;
  };
  if (bytes.size() < headerBytes())
    return fail("this is not a SPIR-V module: it is shorter than a header");
  if (bytes.size() % sizeof(uint32_t) != 0)
    return fail("this is not a SPIR-V module: its length is not a multiple of four bytes");
  std::vector<uint32_t> all(bytes.size() / sizeof(uint32_t));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  if (all[0] == swapped(spv::MagicNumber))
    for (uint32_t &word : all)
      word = swapped(word);
  if (all[0] != spv::MagicNumber)
    return fail("this is not a SPIR-V module: it does not start with the SPIR-V magic number");
  module.header.assign(all.begin(), all.begin() + kHeaderWords);
  module.words.assign(all.begin() + kHeaderWords, all.end());
  return module.mark(error);
}

bool Module::mark(std::string &error) {
  list.clear();
  for (size_t position = 0; position < words.size();) {
    // The first word of an instruction holds its number of words in the upper half, and its opcode in the lower half.
    const size_t count = words[position] >> 16;
    if (count == 0 || count > words.size() - position) {
      error =
          "error: the SPIR-V module is cut off or damaged at word " + std::to_string(position + kHeaderWords) + "\n";
      return false;
    }
    list.push_back({spv::Op(words[position] & 0xffff), std::span(words).subspan(position + 1, count - 1)});
    position += count;
  }
  return true;
}

// The instructions come from encode(), so they cannot be cut off.
void Module::replace(std::vector<std::vector<uint32_t>> instructions) {
  words.clear();
  for (const std::vector<uint32_t> &instruction : instructions)
    words.insert(words.end(), instruction.begin(), instruction.end());
  std::string impossible;
  mark(impossible);
}

std::vector<uint32_t> Module::binary() const {
  std::vector<uint32_t> all = header;
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::string Module::bytes() const {
  const std::vector<uint32_t> all = binary();
  return std::string(reinterpret_cast<const char *>(all.data()), all.size() * sizeof(uint32_t));
}

std::map<uint32_t, uint32_t> specializationIds(const Module &module) {
  std::map<uint32_t, uint32_t> numbers;
  for (const Instruction &instruction : module.instructions())
    if (instruction.op == spv::Op::OpDecorate && spv::Decoration(instruction[1]) == spv::Decoration::SpecId)
      numbers[instruction[0]] = instruction[2];
  return numbers;
}

} // namespace lanecl::frontend::spirv
