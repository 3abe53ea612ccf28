// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C has no recursion, and lanes are made after everything is inlined.
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace lanecl::frontend {

// False when a function calls itself, directly or by others; `log` then gets an error with its line.
bool rejectRecursion(const llvm::Module &module, std::string &log);

} // namespace lanecl::frontend
