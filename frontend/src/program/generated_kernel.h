// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that are made when a program is linked.
#pragma once

#include "llvm/IR/DebugLoc.h"

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// A kernel of that name without arguments and instructions. Where one of the functions that it is to call has a place
// in a source, it has one, too: debug information of what is inlined into a function must belong to that.
llvm::Function *makeKernel(llvm::Module &program, const char *name, const std::vector<llvm::Function *> &callees);

// The place of its instructions, none when it has no place.
llvm::DebugLoc placeOf(const llvm::Function &kernel);

} // namespace lanecl::frontend
