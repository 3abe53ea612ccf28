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

// The same for a few instructions, where all lanes are mostly active: then no time is spent on finding the next one,
// and `chunk` emits `count` neighbouring lanes at once, from lane `first` (i32) on. `count` is at most the width, both
// powers of two.
void emitShortLaneLoop(const LaneContext &c, llvm::Value *mask, unsigned count,
                       llvm::function_ref<void(llvm::Value *first)> chunk,
                       llvm::function_ref<void(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

// Lanes in memory, from where a loop loads them faster than permutes bring them. `end` is to be emitted after the last
// load.
class LanesInMemory {
public:
  LanesInMemory(const LaneContext &c, llvm::Value *vector);
  llvm::Value *load(const LaneContext &c, llvm::Value *lane) const;
  // `count` lanes from `first` on, a multiple of it, in as few loads as possible. A load waits until the processor
  // knows that no store before it meant its address, so there should be none between those of many lanes.
  llvm::SmallVector<llvm::Value *, 8> loadChunk(const LaneContext &c, llvm::Value *first, unsigned count) const;
  void end(const LaneContext &c) const;
  unsigned bytesPerLane() const;

private:
  llvm::Type *element; // a lane's type; i1 is a byte in memory
  llvm::AllocaInst *memory;
};

// As emitLaneLoop, for a body that returns scalars of the types `results`: returns one <W x T> for each, with zero in
// the inactive lanes. The vectors stay in registers.
llvm::SmallVector<llvm::Value *, 4> emitLaneLoopCollect(
    const LaneContext &c, llvm::Value *mask, llvm::ArrayRef<llvm::Type *> results,
    llvm::function_ref<llvm::SmallVector<llvm::Value *, 4>(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

} // namespace lanecl::vectorizer::lanes
