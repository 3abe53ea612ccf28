// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives OpPhi one pair of operands for each way into its block, as LLVM has it. SPIR-V has one for each block that
// leads to it, be it by several cases of a switch.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// The module is no longer valid SPIR-V, and is what the translator reads.
void repeatPhiOperands(Module &module);

} // namespace lanecl::frontend::spirv
