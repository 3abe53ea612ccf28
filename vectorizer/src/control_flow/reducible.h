// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives a single entry to loops that `goto` or `switch` enters in several places: all entries lead to a new block,
// which branches to where they wanted to go. LLVM's LoopInfo, which most passes use, knows only loops with a single
// entry.
//
//   before                                       after
//   if (lane & 1) goto middle;                   at = lane & 1;
//   again: n++;                                  loop: if (at) goto middle;
//   middle: if (!take(lock)) goto again;         again: n++;
//                                                middle: if (!take(lock)) { at = 0; goto loop; }
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Returns false, and changes nothing, if all loops have a single entry. Otherwise switches are lowered, too.
bool makeReducible(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

// Makes a conditional branch with two equal targets unconditional.
void mergeEqualTargets(llvm::Function &function);

} // namespace lanecl::vectorizer
