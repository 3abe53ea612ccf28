// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane instructions (vectorizer/contract/lane_instructions.def) as a typed view over calls.
#pragma once

#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace lanecl::vectorizer {

enum class LaneInstruction {
#define LANE_INSTRUCTION(Enumerator, name) Enumerator,
#include "vectorizer/contract/lane_instructions.def"
};

// By the name in IR, "_Z14__lanecl_scaleff"; nothing for anything else and for a function with a body, which is one
// like any other.
std::optional<LaneInstruction> laneInstructionOf(const llvm::Function &function);
// Nothing for indirect calls and for calls of anything else.
std::optional<LaneInstruction> laneInstructionOf(const llvm::CallBase &call);

// By the name alone.
std::optional<LaneInstruction> laneInstructionNamed(llvm::StringRef function_name);

} // namespace lanecl::vectorizer
