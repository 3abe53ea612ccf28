// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Debug information of functions that the source does not have, and of variables that move.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// A subprogram at the place of `like`'s, for a function made around it. Null when `like` has none.
llvm::DISubprogram *makeArtificialSubprogram(llvm::Function &like, llvm::StringRef name);

// For a kernel built with -g: marks that the source variable lies at this address now, like one of the kernel's own.
void showVariable(llvm::IRBuilderBase &builder, const llvm::GlobalVariable &variable, llvm::Value *address);

} // namespace lanecl::vectorizer
