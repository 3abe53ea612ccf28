// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers constructors of program scope variables (C++ for OpenCL).
#pragma once

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Removes the list llvm.global_ctors or llvm.global_dtors from the program, and returns its functions in the order of
// their priorities. Functions of the same priority keep the order of the list.
std::vector<llvm::Function *> takeList(llvm::Module &program, const char *name);

// Replaces the list of constructors by one kernel, frontend::kConstructor, which calls them in their order. Clang emits
// one constructor function for each source.
void lowerConstructors(llvm::Module &program);

// Whether lowerConstructors() has made the kernel.
bool hasConstructor(const llvm::Module &program);

} // namespace lanecl::frontend
