// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// The functions that the module defines, each before those that it calls. There is no recursion.
llvm::SmallVector<llvm::Function *> callersFirst(llvm::Module &module);

} // namespace lanecl::vectorizer
