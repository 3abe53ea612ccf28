// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits paths into a structure or an array that end in a component of a vector: the translator knows those that end in
// a member. Its component is then taken from the member or put into it.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

void splitComponentPaths(Module &module);

} // namespace lanecl::frontend::spirv
