// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Declares the capabilities that a module uses without saying so, as the compilers in drivers of GPUs do.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// Adds the declarations that are missing: the capability of each Intel sub-group instruction, the extension that these
// capabilities belong to, and the capability of a required sub-group size.
void declareSubGroups(Module &module);

} // namespace lanecl::frontend::spirv
