// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Removes promises and wishes of extensions that change no result, such as hints about loops, caches and aliasing.
#pragma once

#include "spirv/module/module.h"

namespace lanecl::frontend::spirv {

// The module need not be valid.
void dropHints(Module &module);

} // namespace lanecl::frontend::spirv
