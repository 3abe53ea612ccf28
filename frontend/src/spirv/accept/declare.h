// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares what a module uses without saying so, as the compilers of GPUs' drivers do.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Adds the extension that sub-group capabilities of Intel belong to, the capabilities of the instructions that need
// them, and the capability of a required sub-group size.
void declareSubGroups(Module &module);

} // namespace lanecl::frontend::spirv
