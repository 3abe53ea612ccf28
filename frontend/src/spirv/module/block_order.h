// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Orders the blocks of functions as SPIR-V requires.
#pragma once

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {

// Moves blocks so that each comes after the block that dominates it, as SPIR-V requires; some compilers write them in
// any order. Moves as few blocks as possible. The module need not be valid.
void orderBlocks(Module &module);

// Returns the labels that a branch or a switch names, in the order of the operands and with repetitions. Returns none
// for other instructions.
std::vector<uint32_t> successorsOf(const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
