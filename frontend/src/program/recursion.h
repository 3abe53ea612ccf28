// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// OpenCL C has no recursion, and lanes are made of functions that call others. What constant arguments end is none
// (constant_recursion.h).
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace lanecl::frontend {

// What a module is: code to be linked, whose functions any kernel may call, or a whole program.
enum class Extent { Part, Program };

// Ends what constant arguments end. False when a function still calls itself, directly or by others; `log` then gets an
// error with its line. In a program only what the kernels call counts.
bool rejectRecursion(llvm::Module &module, Extent extent, std::string &log);

} // namespace lanecl::frontend
