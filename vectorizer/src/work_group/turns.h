// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Coroutines whose suspensions always follow each other in the same order, as those of a reduction in local memory do:
// what runs from one to the next is a function of its own, and whoever calls these in turn need not ask a sub-group's
// frame where it waits.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// A coroutine and its companion behind passArguments(), with its frame at an offset in the scratch memory.
struct Coroutine {
  llvm::Function *enter, *resume;
  uint64_t frame_offset;
};

// For coroutines of the same kernel, whose sub-groups meet at the same barriers: all of them or none. NAME.resume
// becomes NAME.resume.0, NAME.resume.1 and so on, and frames forget who waits where. Does nothing where sub-groups may
// be done before others, or wait at different places.
void splitIntoTurns(llvm::ArrayRef<Coroutine> coroutines, llvm::FunctionAnalysisManager &manager);

// Of the coroutine's function that enters; none where it was not split.
llvm::SmallVector<llvm::Function *, 8> turnsOf(const llvm::Function &enter);

} // namespace lanecl::vectorizer
