// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers static variables in functions, which the first work-item to reach them constructs (C++ for OpenCL).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Replaces the calls of __cxa_guard_acquire() and __cxa_guard_release(), with which Clang encloses the construction, by
// a loop. One work-item constructs the variable while the others, including those of its sub-group, go round the loop.
void lowerStaticGuards(llvm::Module &program);

} // namespace lanecl::frontend
