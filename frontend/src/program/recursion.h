// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rejects recursion, which OpenCL C does not have and the vectorizer cannot compile: it inlines calls. Recursion that
// constant arguments end is allowed, because it is resolved here (constant_recursion.h).
#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace lanecl::frontend {

// Part: code to be linked, whose functions any kernel may call. Program: all kernels are known.
enum class Extent { Part, Program };

// Resolves recursion that constant arguments end. Returns false when a function still calls itself, directly or through
// others; `log` then gets an error with its line. In a program, functions that no kernel reaches may recurse, and are
// removed.
bool rejectRecursion(llvm::Module &module, Extent extent, std::string &log);

} // namespace lanecl::frontend
