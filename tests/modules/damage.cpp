// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "damage.h"

#include <algorithm>
#include <cstddef>

namespace lanecl::modules {
namespace {

constexpr size_t kHeaderWords = 5;

size_t below(size_t limit, Random &random) {
  return limit == 0 ? 0 : size_t(random() % limit);
}

// The words at which instructions begin, as far as the lengths are right.
std::vector<size_t> instructionsOf(const SpirvModule &module) {
  std::vector<size_t> begins;
  for (size_t at = kHeaderWords; at < module.size() && module[at] >> 16 != 0; at += module[at] >> 16)
    begins.push_back(at);
  return begins;
}

struct Range {
  size_t begin, end;
};

Range anyInstruction(const SpirvModule &module, Random &random) {
  const std::vector<size_t> begins = instructionsOf(module);
  if (begins.empty())
    return {module.size(), module.size()};
  const size_t begin = begins[below(begins.size(), random)];
  return {begin, std::min(begin + (module[begin] >> 16), module.size())};
}

SpirvModule words(const SpirvModule &module, Range range) {
  return {module.begin() + std::ptrdiff_t(range.begin), module.begin() + std::ptrdiff_t(range.end)};
}

void erase(SpirvModule &module, Range range) {
  module.erase(module.begin() + std::ptrdiff_t(range.begin), module.begin() + std::ptrdiff_t(range.end));
}

void insert(SpirvModule &module, size_t place, const SpirvModule &words) {
  module.insert(module.begin() + std::ptrdiff_t(place), words.begin(), words.end());
}

uint32_t oddWord(const SpirvModule &module, Random &random) {
  switch (random() % 5) {
  case 0: return uint32_t(random());
  case 1: return uint32_t(random() % 64);
  case 2: return 0;
  case 3: return UINT32_MAX >> random() % 32;
  default: return module[below(module.size(), random)];
  }
}

// An operand becomes that of another instruction, so that more errors pass the first checks.
void confuseOperands(SpirvModule &module, Random &random) {
  const Range a = anyInstruction(module, random), b = anyInstruction(module, random);
  if (a.end - a.begin > 1 && b.end - b.begin > 1)
    module[a.begin + 1 + below(a.end - a.begin - 1, random)] = module[b.begin + 1 + below(b.end - b.begin - 1, random)];
}

void changeInstruction(SpirvModule &module, Random &random) {
  const Range range = anyInstruction(module, random);
  if (range.begin == module.size())
    return;
  uint32_t &first = module[range.begin];
  switch (random() % 4) {
  case 0: first = (first & 0xffff0000) | uint32_t(random() % 400); break;        // another of the core
  case 1: first = (first & 0xffff0000) | uint32_t(5550 + random() % 900); break; // one of an extension
  case 2: first = (first & 0xffff) | uint32_t(1 + random() % 8) << 16; break;    // another length
  default: first = (first & 0xffff0000) | (module[anyInstruction(module, random).begin] & 0xffff); break;
  }
}

// An instruction with fewer or more operands, whose length says so.
void resizeInstruction(SpirvModule &module, Random &random) {
  const Range range = anyInstruction(module, random);
  if (range.begin == module.size())
    return;
  SpirvModule instruction = words(module, range);
  if (instruction.size() > 1 && random() % 2 == 0)
    instruction.resize(1 + below(instruction.size() - 1, random));
  else
    instruction.push_back(oddWord(module, random));
  instruction[0] = (instruction[0] & 0xffff) | uint32_t(instruction.size()) << 16;
  erase(module, range);
  insert(module, range.begin, instruction);
}

void swapInstructions(SpirvModule &module, Random &random) {
  Range a = anyInstruction(module, random), b = anyInstruction(module, random);
  if (a.begin > b.begin)
    std::swap(a, b);
  if (a.end > b.begin)
    return;
  const SpirvModule first = words(module, a), second = words(module, b);
  erase(module, b);
  insert(module, b.begin, first);
  erase(module, a);
  insert(module, a.begin, second);
}

void damageOnce(SpirvModule &module, const SpirvModule &other, Random &random) {
  const size_t place = below(module.size(), random);
  switch (random() % 14) {
  case 0: module[place] ^= 1u << random() % 32; break;
  case 1: module[place] = oddWord(module, random); break;
  case 2: module.resize(std::max<size_t>(place, 1)); break;
  case 3: insert(module, place, {oddWord(module, random), oddWord(module, random)}); break;
  case 4: erase(module, anyInstruction(module, random)); break;
  case 5: insert(module, anyInstruction(module, random).begin, words(module, anyInstruction(module, random))); break;
  case 6: insert(module, anyInstruction(module, random).begin, words(other, anyInstruction(other, random))); break;
  case 7: swapInstructions(module, random); break;
  case 8: changeInstruction(module, random); break;
  case 9: resizeInstruction(module, random); break;
  case 10: module[below(std::min(kHeaderWords, module.size()), random)] = oddWord(module, random); break;
  default: confuseOperands(module, random); break;
  }
}

} // namespace

SpirvModule damaged(SpirvModule module, const SpirvModule &other, Random &random) {
  for (size_t errors = random() % 4 == 0 ? 2 + random() % 4 : 1; errors > 0 && !module.empty(); --errors)
    damageOnce(module, other, random);
  return module;
}

} // namespace lanecl::modules
