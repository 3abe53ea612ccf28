// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Debug information of functions that the source does not have.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// A subprogram at the place of `like`'s, for a function made around it. Null when `like` has none.
llvm::DISubprogram *makeArtificialSubprogram(llvm::Function &like, llvm::StringRef name);

} // namespace lanecl::vectorizer
