// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Destructors of program scope variables and of static variables in functions (C++ for OpenCL).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Clang calls __cxa_atexit() where an object has been constructed. Such a call notes its own number, and one kernel,
// frontend::kDestructor, calls the destructors of those that were noted, the last one first, and then what is in the
// list llvm.global_dtors, where SPIR-V's finalizers are.
void lowerDestructors(llvm::Module &program);

bool hasDestructor(const llvm::Module &program);

} // namespace lanecl::frontend
