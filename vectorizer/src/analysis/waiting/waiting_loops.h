// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in which a work-item waits until another one has written: whether they end is decided by atomic or volatile
// reads of memory that is not the work-item's own. A loop that a count ends after a few turns does not wait.
//
//   while (atomic_load(flag) == 0) {}                  a waiting loop
//   while (atomic_cmpxchg(lock, 0, 1) != 0) {}         another one
//   while (!done)
//     if (atomic_inc(lock) == 0) { …; *lock = 0; done = true; }   another one
//
// What is read may go through other memory before it decides, as in a barrier of all work-groups:
//
//   do {
//     if (get_local_id(0) == 0) seen = atomic_load(count);   seen is local memory
//     barrier(CLK_LOCAL_MEM_FENCE);
//   } while (seen < groups);
//
// A loop does not wait if each of its turns shows progress (turn_progress.h).
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace llvm {
class AAResults;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace lanecl::vectorizer {

struct WaitingLoop {
  llvm::Loop *loop;
  llvm::SmallVector<const llvm::Instruction *, 2> reads; // those that decide, one at least
  bool gets_on; // a count ends it, or it is likely to make progress without a proof (turn_progress.h)
};

// Whether the instruction could make a loop around it wait, and whether any in the function could; quick.
bool mayWaitAt(const llvm::Instruction &instruction);
bool mayWait(const llvm::Function &function);

// In optimized scalar code, or at least in code whose variables are values. `or_limited`: also loops that a count
// ends after a few turns.
llvm::SmallVector<WaitingLoop, 2> findWaitingLoops(const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                                                   llvm::AAResults &aliases, bool or_limited = false);

} // namespace lanecl::vectorizer
