// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A SPIR-V module as a sequence of words, split into instructions.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

namespace lanecl::frontend::spirv {

// One instruction. The operands include the result type and the result. Operands that are missing, because the module
// is not valid, read as 0.
struct Instruction {
  spv::Op op;
  std::span<const uint32_t> operands;
  uint32_t operator[](size_t index) const { return index < operands.size() ? operands[index] : 0; }
  // Return the operands from `index` on, and those before it. Both may return fewer if the module is not valid.
  std::span<const uint32_t> from(size_t index) const { return operands.subspan(std::min(index, operands.size())); }
  std::span<const uint32_t> upTo(size_t index) const { return operands.first(std::min(index, operands.size())); }
};

// Returns the words of an instruction, the first of which holds the number of words and the opcode.
std::vector<uint32_t> encode(spv::Op op, std::span<const uint32_t> operands);
inline std::vector<uint32_t> encode(spv::Op op, std::initializer_list<uint32_t> operands) {
  return encode(op, std::span(operands.begin(), operands.size()));
}

// Return the text of a literal string that starts at `operand`, and the words of a text with its terminating zero.
std::string literalString(const Instruction &instruction, size_t operand);
std::vector<uint32_t> literalWords(std::string_view text);

// Owns the words. Spans in instructions() are invalid once replace() is called.
class Module {
public:
  // Reads a module in either byte order. Returns false with a message when the bytes are not a SPIR-V header followed
  // by a sequence of instructions.
  static bool parse(std::string_view bytes, Module &module, std::string &error);

  unsigned majorVersion() const { return header[1] >> 16 & 0xff; }
  unsigned minorVersion() const { return header[1] >> 8 & 0xff; }
  void setMinorVersion(unsigned minor) { header[1] = majorVersion() << 16 | minor << 8; }
  const std::vector<Instruction> &instructions() const { return list; }
  // The bytes before the first instruction.
  static constexpr size_t headerBytes() { return kHeaderWords * sizeof(uint32_t); }

  // Returns an id for a new result.
  uint32_t newId() {
    assert(header.size() == kHeaderWords && "ids are made for a module that was parsed");
    return header[3]++;
  }
  // Replaces all instructions by these, each of which encode() has made.
  void replace(std::vector<std::vector<uint32_t>> instructions);

  // The whole module in the byte order of this machine.
  std::string bytes() const;
  std::vector<uint32_t> binary() const;

private:
  // Splits `words` into instructions. Returns false with a message when they are cut off.
  bool mark(std::string &error);

  // The header's words: magic number, version, generator, bound of ids, schema.
  static constexpr size_t kHeaderWords = 5;
  std::vector<uint32_t> header, words;
  std::vector<Instruction> list; // spans of `words`

public:
  Module() = default;
  Module(Module &&) = default;
  Module &operator=(Module &&) = default;
};

// Returns the SpecIds by the ids of the constants that they decorate.
std::map<uint32_t, uint32_t> specializationIds(const Module &module);

} // namespace lanecl::frontend::spirv
