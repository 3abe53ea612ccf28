// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/values/lane_instructions.h"

#include "analysis/functions/primitives.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace lanecl::vectorizer {

std::optional<LaneInstruction> laneInstructionNamed(StringRef function_name) {
  return StringSwitch<std::optional<LaneInstruction>>(baseName(function_name))
#define LANE_INSTRUCTION(Enumerator, name) .Case(name, LaneInstruction::Enumerator)
#include "vectorizer/contract/lane_instructions.def"
      .Default(std::nullopt);
}

std::optional<LaneInstruction> laneInstructionOf(const Function &function) {
  return function.isDeclaration() ? laneInstructionNamed(function.getName()) : std::nullopt;
}

std::optional<LaneInstruction> laneInstructionOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? laneInstructionOf(*callee) : std::nullopt;
}

} // namespace lanecl::vectorizer
