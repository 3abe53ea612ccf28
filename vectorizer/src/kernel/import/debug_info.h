// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Debug information for functions that the source does not contain, and for variables that are moved.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Returns a subprogram at the source location of that of `like`, for a function made around it. Returns null if `like`
// has none.
llvm::DISubprogram *makeArtificialSubprogram(llvm::Function &like, llvm::StringRef name);

// For a kernel built with -g: marks that the source variable is at this address now, as for the kernel's own variables.
void showVariable(llvm::IRBuilderBase &builder, const llvm::GlobalVariable &variable, llvm::Value *address);

} // namespace lanecl::vectorizer
