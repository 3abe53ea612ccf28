// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops in which a work-item waits until another one has written: whether they end is decided by atomic or volatile
// reads of memory that is not the work-item's own, and nothing else ends them.
//
//   while (atomic_load(flag) == 0) {}                         a waiting loop
//   while (atomic_cmpxchg(lock, 0, 1) != 0) {}                another one
//   do { old = *sum; } while (atomic_cmpxchg(sum, old, old + x) != old);   none: a turn repeats only because another
//                                                             work-item has got on in the meantime
//   while ((i = atomic_inc(next)) < count) {}                 none: each turn brings the end nearer
//   while (!done)
//     if (atomic_inc(lock) == 0) { …; *lock = 0; done = true; }   one again: what is counted is written, too
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace lanecl::vectorizer {

struct WaitingLoop {
  llvm::Loop *loop;
  const llvm::Instruction *read; // one of those that decide
};

// Whether the instruction could make a loop around it wait, and whether any in the function could; quick.
bool mayWaitAt(const llvm::Instruction &instruction);
bool mayWait(const llvm::Function &function);

// In optimized scalar code, or at least in code whose variables are values. `or_limited`: also loops that give up
// waiting after a number of turns.
llvm::SmallVector<WaitingLoop, 2> findWaitingLoops(const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
                                                   bool or_limited = false);

// The edge of this number is one that keeps a block in its loop (control_flow/keep_in_loops.h).
bool isNeverTaken(const llvm::Instruction &terminator, unsigned successor);

} // namespace lanecl::vectorizer
