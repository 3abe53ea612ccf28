// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order in which functions have to be processed if a caller decides about its callees.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// Returns the functions that the module defines, each before those that it calls. The module has no recursion.
llvm::SmallVector<llvm::Function *> callersFirst(llvm::Module &module);

} // namespace lanecl::vectorizer
