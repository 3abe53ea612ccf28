// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Debug information for modules that were compiled without: their disassembly is their source.
#pragma once

#include "spirv/module/disassembly.h"

namespace lanecl::frontend::spirv {

// Gives each function and each instruction of a function its place in the disassembly, which is in that file. Before
// anything else that changes the module.
void addDisassemblyLines(Module &module, const Disassembly &disassembly, const std::string &file);

} // namespace lanecl::frontend::spirv
