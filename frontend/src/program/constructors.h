// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Constructors of program scope variables (C++ for OpenCL).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Clang emits a list of functions, one for each source. One kernel, frontend::kConstructor, calls them in their order.
void lowerConstructors(llvm::Module &program);

bool hasConstructor(const llvm::Module &program);

} // namespace lanecl::frontend
