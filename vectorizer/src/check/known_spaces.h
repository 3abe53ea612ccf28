// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which memory an access reaches decides whether it is looked at (Reach). So a kept function with pointers of the
// generic address space gets a version for each set of address spaces that calls are known to pass:
//
//   f(ptr addrspace(4) %p), called with a pointer into local memory  ->  f.3(ptr addrspace(3) %p)
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// To be run when pointers are values. Functions that are not called any more are gone.
void specializeSpaces(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

} // namespace lanecl::vectorizer
