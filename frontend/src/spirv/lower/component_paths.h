// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits paths into structures and arrays that end in a component of a vector. The translator only knows paths that end
// in a member. The component is then taken from the member or put into it.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

void splitComponentPaths(Module &module);

} // namespace lanecl::frontend::spirv
