// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Static variables in functions that are constructed when a work-item comes by first (C++ for OpenCL).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Clang encloses the construction in __cxa_guard_acquire() and __cxa_guard_release(). It becomes a loop: one work-item
// constructs the variable while the others go round, so that work-items of its sub-group wait for it, too.
void lowerStaticGuards(llvm::Module &program);

} // namespace lanecl::frontend
