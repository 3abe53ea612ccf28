// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops inside lane operations: helpers that split the current block and emit a loop with loop-carried values.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// Splits the builder's block at its insertion point. The block ends there, without a terminator and with the builder at
// its end; the instructions that followed move to the returned block. Phis that named the old block as predecessor are
// updated. A caller that remembers the block of a value must therefore ask the builder for it again.
llvm::BasicBlock *splitForContinuation(llvm::IRBuilderBase &b, const llvm::Twine &name);

// Emits one iteration and returns an i1: whether another iteration follows. The body may add blocks of its own.
using LoopBody = llvm::function_ref<llvm::Value *(llvm::SmallVectorImpl<llvm::Value *> &carried)>;

// Emits a loop that runs its body at least once, or not at all if `enter` is given and false at run time. `carried`
// holds the loop-carried values: on entry their start values, for the body those of the current iteration, which it
// replaces by the next ones, and on return those after the last iteration. Afterwards the builder is in the
// continuation block `name`.done. Returns the branch at the loop's end, to which callers may attach metadata.
llvm::Instruction *emitLoop(llvm::IRBuilderBase &b, const llvm::Twine &name, llvm::Value *enter,
                            llvm::SmallVectorImpl<llvm::Value *> &carried, LoopBody body);

// Like emitLoop, for the iterations 0 to count-1 with count at least 1; `index` is the iteration's number as an i32.
llvm::Instruction *
emitCountedLoop(llvm::IRBuilderBase &b, const llvm::Twine &name, llvm::Value *enter, unsigned count,
                llvm::SmallVectorImpl<llvm::Value *> &carried,
                llvm::function_ref<void(llvm::Value *index, llvm::SmallVectorImpl<llvm::Value *> &carried)> body);

} // namespace lanecl::vectorizer::lanes
