// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Splits coroutines whose suspensions always follow each other in the same order, as those of a reduction in local
// memory do. The code from one suspension to the next becomes a function of its own, a turn:
//
//   k.lanes: a; barrier; b; barrier; c     ──>     k.lanes: a     k.lanes.resume.0: b     k.lanes.resume.1: c
//
// The caller calls the turns one after the other for all sub-groups. It need not ask a sub-group's frame where the
// sub-group waits, and frames need not hold that.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// A coroutine and its companion, after passArguments(). Its frame is at an offset in the scratch memory.
struct Coroutine {
  llvm::Function *enter, *resume;
  uint64_t frame_offset;
};

// Splits either all of the coroutines or none: they belong to one kernel, whose sub-groups meet at the same barriers.
// NAME.resume becomes NAME.resume.0, NAME.resume.1 and so on, and frames no longer hold where a sub-group waits. Does
// nothing if sub-groups may be done before others, or may wait at different places.
void splitIntoTurns(llvm::ArrayRef<Coroutine> coroutines, llvm::FunctionAnalysisManager &manager);

// Returns the turns of a coroutine, given the function that enters it; none if the coroutine was not split.
llvm::SmallVector<llvm::Function *, 8> turnsOf(const llvm::Function &enter);

} // namespace lanecl::vectorizer
