// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Handles the debug information of SPIR-V modules: the instructions of OpenCL.DebugInfo.100, which do not change what a
// module computes.
#pragma once

#include "spirv/module/module.h"

namespace llvm {
class Module;
}

namespace lanecl::frontend::spirv {

inline constexpr const char *kDebugInstructions = "OpenCL.DebugInfo.100";

// Whether the module says from which source it was compiled.
bool hasDebugInformation(const Module &module);

// Drops the instructions that no other instruction refers to and that the translator either does not know or turns into
// invalid calls.
void dropUnreadDebugInformation(Module &module);

// Removes all debug information. Returns whether there was any.
bool removeDebugInformation(Module &module);

// Adapts translated debug information to the form that Clang makes with -gkey-instructions: a line starts where an
// instruction says so. Statements are marked in this way.
void useKeyInstructions(llvm::Module &module);

} // namespace lanecl::frontend::spirv
