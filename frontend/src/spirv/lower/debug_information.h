// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Debug information of SPIR-V modules: the instructions of OpenCL.DebugInfo.100, which do not change what a module
// computes.
#pragma once

#include "spirv/module/module.h"

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

inline constexpr const char *kDebugInstructions = "OpenCL.DebugInfo.100";

// Whether the module tells of which source it was made.
bool hasDebugInformation(const Module &module);

// Drops what no other instruction needs and the translator does not know, or makes no valid calls of.
void dropUnreadDebugInformation(Module &module);

// True: there were such instructions.
bool removeDebugInformation(Module &module);

// Makes of translated debug information what Clang makes with -gkey-instructions: a line begins where an instruction
// says so, which is how statements are marked.
void useKeyInstructions(llvm::Module &module);

} // namespace lanecl::frontend::spirv
