// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes versions of kept functions for address spaces. Whether an access is checked depends on its memory (Reach),
// which the generic address space does not tell. So a kept function with generic pointers gets a version for each
// combination of address spaces that calls are known to pass:
//
//   f(ptr addrspace(4) %p), called with a pointer to local memory     ──>     f.3(ptr addrspace(3) %p)
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Makes the versions and removes functions that are no longer called. Must run after variables have become SSA values,
// so that pointers can be followed.
void specializeSpaces(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

} // namespace lanecl::vectorizer
