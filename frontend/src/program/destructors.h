// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lowers destructors of program scope variables and of static variables in functions (C++ for OpenCL).
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Makes one kernel, frontend::kDestructor, that destroys all constructed objects, the last one first. It then calls the
// functions of the list llvm.global_dtors, where the finalizers of SPIR-V are. Clang calls __cxa_atexit() where an
// object has been constructed; these calls become stores that note the object.
void lowerDestructors(llvm::Module &program);

// Whether lowerDestructors() has made the kernel.
bool hasDestructor(const llvm::Module &program);

} // namespace lanecl::frontend
