// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads a module function by function, and writes the blocks of each in their new order.
#include "spirv/module/block_order.h"

#include "spirv/module/types.h"

#include <queue>

namespace lanecl::frontend::spirv {
namespace {

using Code = std::vector<uint32_t>;

struct Block {
  std::vector<Code> code;
  std::vector<uint32_t> successors; // their labels
};

class BlockOrder {
public:
  explicit BlockOrder(Module &module) : module(module), types(module) {}

  void run() {
    for (const Instruction &instruction : module.instructions())
      add(instruction);
    finishFunction();
    module.replace(std::move(code));
  }

private:
  // Adds an instruction to the block that is being read, or to the module outside functions.
  void add(const Instruction &instruction) {
    if (instruction.op == spv::Op::OpFunctionEnd)
      finishFunction();
    if (instruction.op == spv::Op::OpLabel) {
      numbers.emplace(instruction[0], blocks.size());
      blocks.emplace_back();
    }
    if (isLateVariable(instruction)) {
      late_variables.push_back(encode(instruction.op, instruction.operands));
      return;
    }
    (blocks.empty() ? code : blocks.back().code).push_back(encode(instruction.op, instruction.operands));
    if (!blocks.empty())
      for (uint32_t label : successorsOf(instruction, types))
        blocks.back().successors.push_back(label);
  }

  // Whether a variable is declared after other instructions. Some compilers declare a variable where it is first used.
  // One with an initializer stays there, because it would be initialized each time the declaration is executed.
  bool isLateVariable(const Instruction &instruction) {
    switch (instruction.op) {
    case spv::Op::OpLabel:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine: return false;
    case spv::Op::OpVariable:
      return !blocks.empty() && (blocks.size() > 1 || has_begun) && instruction.operands.size() == 3;
    default: has_begun = !blocks.empty(); return false;
    }
  }

  // Writes the function's blocks. A block becomes ready once a block before it branches to it, so its dominator, which
  // is on every path to it, has come before. The next block to be written is the first ready one in the original order.
  // Unreachable blocks come last.
  void finishFunction() {
    std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
    std::vector<bool> reached(blocks.size());
    const auto reach = [&](size_t block) {
      if (!reached[block])
        ready.push(block);
      reached[block] = true;
    };
    if (!blocks.empty()) {
      reach(0);
      std::vector<Code> &first = blocks[0].code;
      first.insert(first.begin() + 1, late_variables.begin(), late_variables.end()); // after its label
    }
    while (!ready.empty()) {
      const size_t block = ready.top();
      ready.pop();
      write(blocks[block]);
      for (uint32_t label : blocks[block].successors)
        if (const auto found = numbers.find(label); found != numbers.end())
          reach(found->second);
    }
    for (size_t block = 0; block < blocks.size(); ++block)
      if (!reached[block])
        write(blocks[block]);
    blocks.clear();
    numbers.clear();
    late_variables.clear();
  }

  void write(Block &block) {
    code.insert(code.end(), std::make_move_iterator(block.code.begin()), std::make_move_iterator(block.code.end()));
  }

  Module &module;
  const Types types;
  std::vector<Code> code;
  std::vector<Block> blocks; // the blocks of the function that is being read
  // Maps a block's label to its index in `blocks`.
  std::map<uint32_t, size_t> numbers;
  std::vector<Code> late_variables; // variables declared after other instructions
  bool has_begun = false;           // the first block has other instructions already
};

} // namespace

std::vector<uint32_t> successorsOf(const Instruction &instruction, const Types &types) {
  switch (instruction.op) {
  case spv::Op::OpBranch: return {instruction[0]};
  case spv::Op::OpBranchConditional: return {instruction[1], instruction[2]};
  case spv::Op::OpSwitch: {
    std::vector<uint32_t> successors{instruction[1]};
    const size_t literal = types.width(types.typeOf(instruction[0])) > 32 ? 2 : 1;
    for (size_t at = 2 + literal; at < instruction.operands.size(); at += literal + 1)
      successors.push_back(instruction[at]);
    return successors;
  }
  default: return {};
  }
}

void orderBlocks(Module &module) {
  BlockOrder(module).run();
}

} // namespace lanecl::frontend::spirv
