// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A loop over the active lanes, for what has no lane form: calls, atomics with a result, printf.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// Runs `body` once for each active lane, lowest first; `lane` is a scalar i32. The body may add blocks; the loop
// continues where it leaves the builder. Afterwards the builder is in the continuation block. Runs no lane when none is
// active.
void emitLaneLoop(const LaneContext &c, llvm::Value *mask,
                  llvm::function_ref<void(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

// The same for a body that returns scalars of the types `results`: returns one <W x T> for each, with zero in the
// inactive lanes. The vectors stay in registers.
llvm::SmallVector<llvm::Value *, 4> emitLaneLoopCollect(
    const LaneContext &c, llvm::Value *mask, llvm::ArrayRef<llvm::Type *> results,
    llvm::function_ref<llvm::SmallVector<llvm::Value *, 4>(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

} // namespace lanecl::vectorizer::lanes
