// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives debug information to modules that were compiled without: their disassembly becomes their source.
#pragma once

#include "spirv/module/disassembly.h"

namespace lanecl::frontend::spirv {

// Gives each function, and each instruction of a function, its place in the disassembly, which is in `file`. This must
// come before all other changes of the module, because the disassembly describes the module unchanged.
void addDisassemblyLines(Module &module, const Disassembly &disassembly, const std::string &file);

} // namespace lanecl::frontend::spirv
