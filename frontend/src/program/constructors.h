// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constructors of program scope variables (C++ for OpenCL).
#pragma once

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Takes the list llvm.global_ctors or llvm.global_dtors out of the program: its functions in the order of their
// priorities, and of the list where these are the same.
std::vector<llvm::Function *> takeList(llvm::Module &program, const char *name);

// Clang emits a list of functions, one for each source. One kernel, frontend::kConstructor, calls them in their order.
void lowerConstructors(llvm::Module &program);

bool hasConstructor(const llvm::Module &program);

} // namespace lanecl::frontend
