// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run/spirv.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <unistd.h>

namespace lanecl::fuzz {

namespace {

constexpr size_t kHeaderWords = 5;

enum Op : uint16_t {
  OpFunctionEnd = 56,
  OpLabel = 248,
  OpBranch = 249,
  OpBranchConditional = 250,
  OpSwitch = 251,
};

// Returns the opcode of the instruction that starts with this word, and the number of its words.
uint16_t operation(uint32_t word) {
  return uint16_t(word & 0xffff);
}
size_t length(uint32_t word) {
  return word >> 16;
}

// The instructions of a block. words[1] is its label, and its last instruction says where execution goes on.
struct Block {
  Words words;
  size_t last = 0; // where that last instruction starts
};

// The blocks of one function in the order of the module, in which its entry block comes first.
using Blocks = std::vector<Block>;
using Numbers = std::map<uint32_t, size_t>; // number of each block, by label

// Returns the blocks that a switch names from the word `first` on. A case consists of a literal and a label. The
// literal has one word, or two for a selector of 64 bits; the right length is the one for which all labels are labels
// of blocks.
std::vector<size_t> casesOf(const Words &words, size_t first, const Numbers &numbers) {
  for (size_t step : {2, 3}) {
    std::vector<size_t> cases;
    size_t i = first + step;
    for (; i <= words.size(); i += step)
      if (const auto found = numbers.find(words[i - 1]); found != numbers.end())
        cases.push_back(found->second);
      else
        break;
    if (i - step == words.size())
      return cases;
  }
  throw std::runtime_error("a switch of a SPIR-V module names a block that its function does not have");
}

// Returns the blocks that a block's last instruction may go to.
std::vector<size_t> successorsOf(const Block &block, const Numbers &numbers) {
  const uint32_t *last = &block.words[block.last];
  switch (operation(*last)) {
  case OpBranch: return {numbers.at(last[1])};
  case OpBranchConditional: return {numbers.at(last[2]), numbers.at(last[3])};
  case OpSwitch: {
    std::vector<size_t> next = casesOf(block.words, block.last + 3, numbers);
    next.push_back(numbers.at(last[2]));
    return next;
  }
  default: return {};
  }
}

// Returns the successors of each block of a function.
std::vector<std::vector<size_t>> successorsOf(const Blocks &blocks) {
  Numbers numbers;
  for (size_t i = 0; i < blocks.size(); ++i)
    numbers[blocks[i].words[1]] = i;
  std::vector<std::vector<size_t>> successors;
  for (const Block &block : blocks)
    successors.push_back(successorsOf(block, numbers));
  return successors;
}

// Returns which blocks the entry block reaches if `removed` is not passed through.
std::vector<bool> reachedWithout(size_t removed, const std::vector<std::vector<size_t>> &successors) {
  std::vector<bool> reached(successors.size());
  std::vector<size_t> work;
  const auto reach = [&](size_t block) {
    if (block != removed && !reached[block]) {
      reached[block] = true;
      work.push_back(block);
    }
  };
  reach(0);
  while (!work.empty()) {
    const size_t block = work.back();
    work.pop_back();
    for (size_t next : successors[block])
      reach(next);
  }
  return reached;
}

// Returns for each block those that dominate it: the blocks without which it cannot be reached.
std::vector<std::vector<size_t>> dominatorsOf(const Blocks &blocks) {
  const std::vector<std::vector<size_t>> successors = successorsOf(blocks);
  std::vector<std::vector<size_t>> dominators(blocks.size());
  for (size_t removed = 0; removed < blocks.size(); ++removed) {
    const std::vector<bool> reached = reachedWithout(removed, successors);
    for (size_t block = 0; block < blocks.size(); ++block)
      if (block != removed && !reached[block])
        dominators[block].push_back(removed);
  }
  return dominators;
}

// Writes the blocks in a random order in which each block comes after all blocks that dominate it, as SPIR-V requires.
void writeShuffled(Words &to, const Blocks &blocks, std::mt19937_64 &random) {
  const std::vector<std::vector<size_t>> dominators = dominatorsOf(blocks);
  // A block that is never executed is not reached whichever block is removed, so all blocks would dominate it. Such
  // blocks keep their order at the end.
  const std::vector<bool> executed = reachedWithout(blocks.size(), successorsOf(blocks));
  std::vector<bool> written(blocks.size());
  const auto write = [&](size_t block) {
    to.insert(to.end(), blocks[block].words.begin(), blocks[block].words.end());
    written[block] = true;
  };
  while (true) {
    std::vector<size_t> ready;
    for (size_t block = 0; block < blocks.size(); ++block) {
      bool may_stand_here = executed[block] && !written[block];
      for (size_t dominator : dominators[block])
        may_stand_here &= written[dominator];
      if (may_stand_here)
        ready.push_back(block);
    }
    if (ready.empty())
      break;
    write(ready[random() % ready.size()]);
  }
  for (size_t block = 0; block < blocks.size(); ++block)
    if (!written[block])
      write(block);
}

// A temporary folder, which the destructor removes.
class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lanecl_fuzz_XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error("cannot make a folder for SPIR-V modules: " + name);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::filesystem::path path;
};

} // namespace

std::optional<Words> compileToSpirv(const std::string &source, const std::string &options) {
  // Clang's SPIR-V target converts a signed integer with saturation as if it were unsigned.
  if (source.find("_sat(") != std::string::npos)
    return std::nullopt;
  const Folder folder;
  const std::string text = (folder.path / "kernel.cl").string(), module = (folder.path / "kernel.spv").string();
  std::ofstream(text) << source;
  // Optimizations make integers of, for example, 4 bits, which the SPIR-V target widens to 8 without clearing the upper
  // ones.
  const std::string command = std::string(LANECL_OPENCL_CLANG) +
                              " --target=spirv64-unknown-unknown -Xclang -finclude-default-header -Xclang -cl-ext=+all "
                              "-ffp-contract=off " +
                              options + " -O0 -c " + text + " -o " + module + " >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0)
    return std::nullopt;
  std::ifstream in(module, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  Words words(bytes.size() / sizeof(uint32_t));
  std::copy_n(bytes.data(), words.size() * sizeof(uint32_t), reinterpret_cast<char *>(words.data()));
  return words;
}

Words shuffleBlocks(const Words &module, uint64_t seed) {
  std::mt19937_64 random(seed);
  Words shuffled(module.begin(), module.begin() + kHeaderWords);
  Blocks blocks; // blocks of the function that is being read
  for (size_t i = kHeaderWords; i < module.size(); i += length(module[i])) {
    const uint16_t code = operation(module[i]);
    if (length(module[i]) == 0)
      throw std::runtime_error("an instruction of a SPIR-V module has no words");
    if (code == OpFunctionEnd && !blocks.empty()) {
      writeShuffled(shuffled, blocks, random);
      blocks.clear();
    }
    if (code == OpLabel)
      blocks.emplace_back();
    Words &to = blocks.empty() ? shuffled : blocks.back().words;
    if (!blocks.empty())
      blocks.back().last = to.size();
    to.insert(to.end(), &module[i], &module[i] + length(module[i]));
  }
  return shuffled;
}

} // namespace lanecl::fuzz
