// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lane instructions (vectorizer/contract/lane_instructions.def) as a typed view of calls.
#pragma once

#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace lanecl::vectorizer {

enum class LaneInstruction {
#define LANE_INSTRUCTION(Enumerator, name) Enumerator,
#include "vectorizer/contract/lane_instructions.def"
};

// Returns the lane instruction that the function's name in IR ("_Z14__lanecl_scaleff") stands for. Returns nothing for
// other names, and for a function with a body: that one is compiled like any other function.
std::optional<LaneInstruction> laneInstructionOf(const llvm::Function &function);
// Returns the lane instruction that a call calls. Returns nothing for indirect calls and calls of other functions.
std::optional<LaneInstruction> laneInstructionOf(const llvm::CallBase &call);

// Returns the lane instruction by the name alone, whether the function has a body or not.
std::optional<LaneInstruction> laneInstructionNamed(llvm::StringRef function_name);

} // namespace lanecl::vectorizer
