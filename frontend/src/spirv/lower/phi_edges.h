// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives OpPhi one pair of operands for each edge into its block, as LLVM requires. In SPIR-V it has one pair for each
// block before it, even if several cases of a switch lead from that block to this one.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// The module is no longer valid SPIR-V afterwards, but it is what the translator reads.
void repeatPhiOperands(Module &module);

} // namespace lanecl::frontend::spirv
