// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds waiting loops, in which a work-item waits until another one has written: atomic or volatile reads of memory
// that is not the work-item's own decide whether the loop ends. A loop that a count ends after a few turns does not
// wait.
//
//   while (atomic_load(flag) == 0) {}                                 waits
//   while (atomic_cmpxchg(lock, 0, 1) != 0) {}                        waits
//   while (!done)
//     if (atomic_inc(lock) == 0) { …; *lock = 0; done = true; }       waits
//
// The value that was read may go through other memory before it decides, as in a barrier of all work-groups:
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
  llvm::SmallVector<const llvm::Instruction *, 2> reads; // the reads that decide, at least one
  // Whether a count ends the loop, or it is likely to make progress though that is not proved (turn_progress.h).
  bool gets_on;
};

// Whether the instruction could make a loop around it wait, and whether any instruction of the function could. Both are
// quick tests.
bool mayWaitAt(const llvm::Instruction &instruction);
bool mayWait(const llvm::Function &function);

// Returns the waiting loops of a function, outer loops before inner ones. The function has to be optimized scalar code,
// or at least code whose variables are promoted. With `or_limited`, loops that a count ends after a few turns are
// included.
llvm::SmallVector<WaitingLoop, 2> findWaitingLoops(const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                                                   llvm::AAResults &aliases, bool or_limited = false);

} // namespace lanecl::vectorizer
