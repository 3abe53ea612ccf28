// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops within lane operations.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// Splits the builder's block at its insertion point: the block ends there (without a terminator, the builder at its
// end) and what followed moves to the returned block. Phis that named the old block as predecessor are updated, so a
// caller that keeps "the block of X" must ask the builder again afterwards.
llvm::BasicBlock *splitForContinuation(llvm::IRBuilderBase &b, const llvm::Twine &name);

// Emits one iteration and returns whether there is another one, an i1. It may add blocks of its own.
using LoopBody = llvm::function_ref<llvm::Value *(llvm::SmallVectorImpl<llvm::Value *> &carried)>;

// `carried` are the loop-carried values: their start values before, changed by the body, the last iteration's values
// afterwards. When `enter` is given and false there is no iteration. Afterwards the builder is in the continuation
// block `name`.done. Returns the branch to the next iteration, which may get metadata.
llvm::Instruction *emitLoop(llvm::IRBuilderBase &b, const llvm::Twine &name, llvm::Value *enter,
                            llvm::SmallVectorImpl<llvm::Value *> &carried, LoopBody body);

// Iterations 0 to count-1, at least one unless `enter` is given and false; `index` is an i32.
llvm::Instruction *
emitCountedLoop(llvm::IRBuilderBase &b, const llvm::Twine &name, llvm::Value *enter, unsigned count,
                llvm::SmallVectorImpl<llvm::Value *> &carried,
                llvm::function_ref<void(llvm::Value *index, llvm::SmallVectorImpl<llvm::Value *> &carried)> body);

} // namespace lanecl::vectorizer::lanes
