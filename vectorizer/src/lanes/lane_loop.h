// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops over the active lanes, for operations that have no vector form: calls, atomics with a result, printf.
#pragma once

#include "lanes/context.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace lanecl::vectorizer::lanes {

// Runs `body` once for each active lane, from the lowest to the highest, and never if no lane is active. `lane` is a
// scalar i32. The body may add blocks; the loop continues where the body leaves the builder. Afterwards the builder is
// in the continuation block.
void emitLaneLoop(const LaneContext &c, llvm::Value *mask,
                  llvm::function_ref<void(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

// Like emitLaneLoop, for short bodies under masks that are usually full. If all lanes are active, no time is spent on
// finding the next one: `chunk` is emitted in a loop that covers `count` neighboring lanes a turn, from lane `first`
// (i32) on. If some lane is inactive, `body` runs for each active lane. `count` is a power of two and at most W.
void emitShortLaneLoop(const LaneContext &c, llvm::Value *mask, unsigned count,
                       llvm::function_ref<void(llvm::Value *first)> chunk,
                       llvm::function_ref<void(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

// A lane vector that has been stored to the stack, from where a loop over the lanes loads single elements. Such a load
// is faster than a permute by a variable lane number. The caller emits `end` after the last load.
class LanesInMemory {
public:
  LanesInMemory(const LaneContext &c, llvm::Value *vector);
  // Returns the element of `lane` (i32).
  llvm::Value *load(const LaneContext &c, llvm::Value *lane) const;
  // Returns the elements of `count` neighboring lanes from `first` on, which is a multiple of `count`. It uses as few
  // loads as possible, up to 8 bytes each. The processor holds a load back until the addresses of all earlier stores
  // are known, so callers should emit no store between the loads of a chunk.
  llvm::SmallVector<llvm::Value *, 8> loadChunk(const LaneContext &c, llvm::Value *first, unsigned count) const;
  void end(const LaneContext &c) const;
  unsigned bytesPerLane() const;

private:
  llvm::Type *element; // the type of one lane's element, which may be larger in memory: an i1 occupies a byte
  llvm::AllocaInst *memory;
};

// Like emitLaneLoop, for a body that returns one scalar for each of the types `results`. Returns one <W x T> for each
// type, with zero in the inactive lanes. The vectors stay in registers: each turn blends its scalars into them.
llvm::SmallVector<llvm::Value *, 4> emitLaneLoopCollect(
    const LaneContext &c, llvm::Value *mask, llvm::ArrayRef<llvm::Type *> results,
    llvm::function_ref<llvm::SmallVector<llvm::Value *, 4>(llvm::IRBuilderBase &b, llvm::Value *lane)> body);

} // namespace lanecl::vectorizer::lanes
