// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The keeper follows which results the translator folds (`constants`), and copies an operand where folding gives
// poison.
#include "spirv/lower/constant_operations.h"

#include "spirv/module/types.h"

#include <algorithm>
#include <set>

namespace lanecl::frontend::spirv {
namespace {

using spv::Op;

bool isBetween(Op op, Op first, Op last) {
  return op >= first && op <= last;
}

bool isConstant(Op op) {
  return op == Op::OpUndef || isBetween(op, Op::OpConstantTrue, Op::OpSpecConstantOp);
}

bool isConversion(Op op) {
  return op == Op::OpConvertFToU || op == Op::OpConvertFToS;
}

// Whether the operation has no defined result for some operands.
bool mayBeUndefined(Op op) {
  return isConversion(op) || op == Op::OpUDiv || op == Op::OpSDiv || isBetween(op, Op::OpUMod, Op::OpSMod) ||
         isBetween(op, Op::OpShiftRightLogical, Op::OpShiftLeftLogical);
}

// Returns how many operands after the type and the result the operation computes with. Literals come after these.
// Returns 0 if the translator never folds the operation.
size_t operandCount(const Instruction &instruction) {
  switch (instruction.op) {
  case Op::OpCompositeExtract: return 1;
  case Op::OpCompositeInsert:
  case Op::OpVectorShuffle: return 2;
  default: break;
  }
  const Op op = instruction.op;
  const bool computes = isBetween(op, Op::OpVectorExtractDynamic, Op::OpCompositeConstruct) ||
                        isBetween(op, Op::OpConvertFToU, Op::OpBitcast) ||
                        isBetween(op, Op::OpSNegate, Op::OpFUnordGreaterThanEqual) ||
                        isBetween(op, Op::OpShiftRightLogical, Op::OpBitCount);
  return computes ? instruction.operands.size() - 2 : 0;
}

class Keeper {
public:
  explicit Keeper(Module &module) : module(module), types(module) {}

  void run() {
    for (const Instruction &instruction : module.instructions())
      add(instruction);
    if (is_changed)
      module.replace(std::move(code));
  }

private:
  void add(const Instruction &instruction) {
    if (instruction.op == Op::OpSpecConstantOp && mayBeUndefined(Op(instruction[2])) && types.value(instruction[1]))
      addNumber(instruction[0], instruction[1], *types.value(instruction[1]));
    else
      addOther(instruction);
  }

  // Replaces a specialization constant by an integer.
  void addNumber(uint32_t type, uint32_t result, uint64_t value) {
    constants.insert(result);
    std::vector<uint32_t> operands{type, result, uint32_t(value)};
    if (types.width(type) > 32)
      operands.push_back(uint32_t(value >> 32));
    code.push_back(encode(Op::OpConstant, operands));
    is_changed = true;
  }

  // Adds an instruction. If it may be folded to poison, its last operand, a divisor, shift amount or number, is copied.
  void addOther(const Instruction &instruction) {
    std::vector<uint32_t> operands(instruction.operands.begin(), instruction.operands.end());
    if (mayBeConstant(instruction)) {
      if (mayBeUndefined(instruction.op))
        operands.back() = copied(operands.back());
      else
        constants.insert(instruction[1]);
    }
    code.push_back(encode(instruction.op, operands));
  }

  // Whether the translator may fold the instruction: all operands that it computes with are constants or folded
  // themselves.
  bool mayBeConstant(const Instruction &instruction) const {
    const size_t count = operandCount(instruction);
    const auto used = instruction.from(std::min<size_t>(2, instruction.operands.size()));
    return isConstant(instruction.op) ||
           (count != 0 && std::all_of(used.begin(), used.begin() + ptrdiff_t(std::min(count, used.size())),
                                      [&](uint32_t operand) { return constants.contains(operand); }));
  }

  uint32_t copied(uint32_t value) {
    const uint32_t copy = module.newId();
    code.push_back(encode(Op::OpCopyObject, {types.typeOf(value), copy, value}));
    is_changed = true;
    return copy;
  }

  Module &module;
  const Types types;
  std::set<uint32_t> constants; // ids of constants, and of what the translator folds from them
  std::vector<std::vector<uint32_t>> code;
  bool is_changed = false;
};

} // namespace

void keepConstantOperations(Module &module) {
  Keeper(module).run();
}

} // namespace lanecl::frontend::spirv
