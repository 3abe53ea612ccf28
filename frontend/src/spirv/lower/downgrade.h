// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Expresses what SPIR-V 1.4 to 1.6 added for kernels in SPIR-V 1.3, the last version that the translator reads
// completely. Also replaces casts between pointers and integers, in modules of every version.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// The module must be valid.
void downgrade(Module &module);

} // namespace lanecl::frontend::spirv
