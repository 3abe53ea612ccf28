// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes kernels that the source does not contain, when a program is linked.
#pragma once

#include "llvm/IR/DebugLoc.h"

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Makes a kernel of this name without arguments and without a body. If a function that the kernel will call has debug
// information, the kernel gets some, too: instructions inlined into a function need locations that belong to that
// function.
llvm::Function *makeKernel(llvm::Module &program, const char *name, const std::vector<llvm::Function *> &callees);

// Returns the location for the kernel's instructions, or none when the kernel has no debug information.
llvm::DebugLoc placeOf(const llvm::Function &kernel);

} // namespace lanecl::frontend
