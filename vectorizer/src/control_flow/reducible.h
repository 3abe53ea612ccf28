// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that `goto` or `switch` enters in several places get a single entry: all entries lead to a new block, which
// branches to where they wanted to go. LLVM's LoopInfo, which most passes ask, knows only loops with a single entry.
//
//   if (lane & 1) goto middle;
//   again: n++;
//   middle: if (!take(lock)) goto again;
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Returns false, and changes nothing, if all loops have a single entry. Else switches are lowered, too.
bool makeReducible(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

// Makes a conditional branch with two equal targets unconditional.
void mergeEqualTargets(llvm::Function &function);

} // namespace lanecl::vectorizer
