// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of blocks in functions.
#pragma once

#include "spirv/module/types.h"

namespace lanecl::frontend::spirv {

// SPIR-V wants a block behind the one that dominates it, and compilers write blocks in any order. Moves as few of them
// as possible. The module need not be valid.
void orderBlocks(Module &module);

// The labels of the blocks that a branch or a switch leads to, as often as it names them; none of all else.
std::vector<uint32_t> successorsOf(const Instruction &instruction, const Types &types);

} // namespace lanecl::frontend::spirv
