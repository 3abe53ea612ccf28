// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of blocks in functions.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// SPIR-V wants a block behind the one that dominates it, and compilers write blocks in any order. Moves as few of them
// as possible. The module need not be valid.
void orderBlocks(Module &module);

} // namespace lanecl::frontend::spirv
