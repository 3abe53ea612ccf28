// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A SPIR-V module as words, split into instructions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

namespace lanecl::frontend::spirv {

// One instruction; its operands, the result type and the result among them. Missing ones read as 0.
struct Instruction {
  spv::Op op;
  std::span<const uint32_t> operands;
  uint32_t operator[](size_t index) const { return index < operands.size() ? operands[index] : 0; }
  // The operands from that one on, and those before it; modules that are not valid have fewer.
  std::span<const uint32_t> from(size_t index) const { return operands.subspan(std::min(index, operands.size())); }
  std::span<const uint32_t> upTo(size_t index) const { return operands.first(std::min(index, operands.size())); }
};

std::vector<uint32_t> encode(spv::Op op, std::span<const uint32_t> operands);
inline std::vector<uint32_t> encode(spv::Op op, std::initializer_list<uint32_t> operands) {
  return encode(op, std::span(operands.begin(), operands.size()));
}

// A literal string that starts at `operand`.
std::string literalString(const Instruction &instruction, size_t operand);
std::vector<uint32_t> literalWords(std::string_view text);

class Module {
public:
  // False with a message when the bytes are no sequence of instructions behind a SPIR-V header. Either byte order.
  static bool parse(std::string_view bytes, Module &module, std::string &error);

  unsigned majorVersion() const { return header[1] >> 16 & 0xff; }
  unsigned minorVersion() const { return header[1] >> 8 & 0xff; }
  void setMinorVersion(unsigned minor) { header[1] = majorVersion() << 16 | minor << 8; }
  const std::vector<Instruction> &instructions() const { return list; }
  static constexpr size_t headerBytes() { return kHeaderWords * sizeof(uint32_t); } // before the first one

  // A number for a new result.
  uint32_t newId() { return header[3]++; }
  // Replaces all instructions.
  void replace(std::vector<std::vector<uint32_t>> instructions);

  // In the byte order of this machine.
  std::string bytes() const;
  std::vector<uint32_t> binary() const;

private:
  bool mark(std::string &error);

  static constexpr size_t kHeaderWords = 5; // magic, version, generator, bound, schema
  std::vector<uint32_t> header, words;
  std::vector<Instruction> list; // into `words`

public:
  Module() = default;
  Module(Module &&) = default;
  Module &operator=(Module &&) = default;
};

// The numbers that SpecId decorations give to results.
std::map<uint32_t, uint32_t> specializationIds(const Module &module);

} // namespace lanecl::frontend::spirv
