// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks operands that are ids of constants, whose values the validator does not look at.
#include "spirv/accept/operands.h"

#include "spirv/module/instruction_names.h"
#include "spirv/module/types.h"

#include <bit>

namespace lanecl::frontend::spirv {
namespace {

// Memory semantics hold at most one memory order. The lowest bit has no meaning.
constexpr uint32_t kOrders = uint32_t(spv::MemorySemanticsMask::Acquire) | uint32_t(spv::MemorySemanticsMask::Release) |
                             uint32_t(spv::MemorySemanticsMask::AcquireRelease) |
                             uint32_t(spv::MemorySemanticsMask::SequentiallyConsistent);
constexpr uint32_t kNoMeaning = 1;

// Checks a module instruction by instruction, and stops at the first wrong one.
class OperandChecker {
public:
  OperandChecker(const Module &module, std::string &error) : module(module), types(module), error(error) {}

  bool run() {
    for (const Instruction &instruction : module.instructions())
      if (const char *why = wrong(instruction)) {
        error += "error: instruction " + nameOf(instruction.op) + " " + why + "\n";
        return false;
      }
    return true;
  }

private:
  // Returns what is wrong with the instruction, or null.
  const char *wrong(const Instruction &instruction) const {
    switch (instruction.op) {
    case spv::Op::OpControlBarrier: return barrier(instruction.upTo(3));
    case spv::Op::OpMemoryBarrier: return barrier(instruction.upTo(2));
    case spv::Op::OpMemoryNamedBarrier: return barrier(instruction.from(1));
    case spv::Op::OpAtomicStore: return semantics(instruction[2]);
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicIAdd:
    case spv::Op::OpAtomicISub:
    case spv::Op::OpAtomicSMin:
    case spv::Op::OpAtomicUMin:
    case spv::Op::OpAtomicSMax:
    case spv::Op::OpAtomicUMax:
    case spv::Op::OpAtomicAnd:
    case spv::Op::OpAtomicOr:
    case spv::Op::OpAtomicXor:
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT: return semantics(instruction[4]);
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicCompareExchangeWeak: {
      const char *equal = semantics(instruction[4]);
      return equal ? equal : semantics(instruction[5]);
    }
    case spv::Op::OpSubgroupBlockReadINTEL: return block(instruction[0]);
    case spv::Op::OpSubgroupBlockWriteINTEL: return block(types.typeOf(instruction[1]));
    default: return nullptr;
    }
  }

  // Returns what is wrong with a barrier's operands, or null. They are scopes, followed by the memory semantics.
  const char *barrier(std::span<const uint32_t> operands) const {
    for (const uint32_t operand : operands)
      if (!types.constant(operand))
        return "has a scope or memory semantics that are not constant, which the device does not support";
    return operands.empty() ? nullptr : semantics(operands.back());
  }

  // Returns what is wrong with memory semantics, or null. Semantics that are not constant are accepted, because atomic
  // operations take them.
  const char *semantics(uint32_t id) const {
    const std::optional<uint32_t> mask = types.constant(id);
    const bool is_wrong = mask && ((*mask & kNoMeaning) || std::popcount(*mask & kOrders) > 1);
    return is_wrong ? "has meaningless memory semantics" : nullptr;
  }

  // Returns what is wrong with a block's type, or null. Blocks of 16 components have components of 8 bits only.
  const char *block(uint32_t type) const {
    const bool is_missing = types.componentCount(type) == 16 && types.width(types.componentType(type)) != 8;
    return is_missing ? "has blocks of 16 components, which the device supports only for components of 8 bits"
                      : nullptr;
  }

  const Module &module;
  const Types types;
  std::string &error;
};

} // namespace

bool checkOperands(const Module &module, std::string &error) {
  return OperandChecker(module, error).run();
}

} // namespace lanecl::frontend::spirv
