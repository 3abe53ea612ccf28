// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spirv/accept/declare.h"

#include <optional>
#include <set>
#include <utility>

namespace lanecl::frontend::spirv {
namespace {

// The extension that the capabilities below belong to.
constexpr const char *kSubGroupExtension = "SPV_INTEL_subgroups";

// Whether the capability belongs to kSubGroupExtension. SubgroupDispatch, of the core, does not.
bool belongsToExtension(spv::Capability capability) {
  return capability == spv::Capability::SubgroupShuffleINTEL ||
         capability == spv::Capability::SubgroupBufferBlockIOINTEL ||
         capability == spv::Capability::SubgroupImageBlockIOINTEL;
}

// Returns the capability that the instruction needs, if it is one that modules leave out.
std::optional<spv::Capability> neededBy(const Instruction &instruction) {
  switch (instruction.op) {
  case spv::Op::OpSubgroupShuffleINTEL:
  case spv::Op::OpSubgroupShuffleDownINTEL:
  case spv::Op::OpSubgroupShuffleUpINTEL:
  case spv::Op::OpSubgroupShuffleXorINTEL: return spv::Capability::SubgroupShuffleINTEL;
  case spv::Op::OpSubgroupBlockReadINTEL:
  case spv::Op::OpSubgroupBlockWriteINTEL: return spv::Capability::SubgroupBufferBlockIOINTEL;
  case spv::Op::OpSubgroupImageBlockReadINTEL:
  case spv::Op::OpSubgroupImageBlockWriteINTEL: return spv::Capability::SubgroupImageBlockIOINTEL;
  case spv::Op::OpExecutionMode:
    if (spv::ExecutionMode(instruction[1]) == spv::ExecutionMode::SubgroupSize)
      return spv::Capability::SubgroupDispatch;
    return std::nullopt;
  default: return std::nullopt;
  }
}

} // namespace

// Collects what is declared and what is needed, then writes the module again with what is missing.
void declareSubGroups(Module &module) {
  std::set<spv::Capability> declared, needed;
  bool has_extension = false;
  for (const Instruction &instruction : module.instructions()) {
    if (instruction.op == spv::Op::OpCapability)
      declared.insert(spv::Capability(instruction[0]));
    has_extension |= instruction.op == spv::Op::OpExtension && literalString(instruction, 0) == kSubGroupExtension;
    if (const auto capability = neededBy(instruction))
      needed.insert(*capability);
  }
  // Capabilities come first in a module and are followed by extensions.
  std::vector<std::vector<uint32_t>> added;
  for (spv::Capability capability : needed)
    if (declared.insert(capability).second)
      added.push_back(encode(spv::Op::OpCapability, {uint32_t(capability)}));
  std::vector<uint32_t> extension;
  for (spv::Capability capability : declared)
    if (!has_extension && belongsToExtension(capability))
      extension = encode(spv::Op::OpExtension, literalWords(kSubGroupExtension));
  if (added.empty() && extension.empty())
    return;
  for (const Instruction &instruction : module.instructions()) {
    // The extension is added before the first instruction that is no capability.
    if (instruction.op != spv::Op::OpCapability && !extension.empty())
      added.push_back(std::exchange(extension, {}));
    added.push_back(encode(instruction.op, instruction.operands));
  }
  module.replace(std::move(added));
}

} // namespace lanecl::frontend::spirv
