// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps effects in loops that wait, so that no lane waits for one that has left the loop. In
//
//   while (!done) {
//     if (atomic_cmpxchg(lock, 0, 1) == 0) {
//       *sum += x;
//       atomic_xchg(lock, 0);
//       done = true;
//     }
//   }
//
// the release is inside the loop. LLVM turns `done` into a loop exit, so that the release comes after the loop, where
// the sub-group meets again: the lane that holds the lock would wait for lanes that want it.
//
// The markers come first. Which loops wait is known only after calls are inlined and variables are promoted, so until
// then all effects in loops that may wait are kept in their loops. Before calls are inlined (loop_statements.h), a call
// of the marker `lanecl.effects` is put after the last effect of each block that the source has in such a loop. It
// names the loops, and keep_in_loops.h treats it as an exchange.
//
// This pass then decides:
//
//   before: call @lanecl.effects()  #loops 1 2 3     only loop 2 waits; loop 1 is inside, loop 3 around it
//   after:  call @lanecl.effects()  #loops 2 3       or no call, if none of the three loops waits
//
// Markers stay for loops that wait, for loops that give up waiting after some iterations, and for loops around these.
// If the marker's block is part of every iteration, the marker is only needed to keep the block from being copied to an
// exit and to the next iteration; then other accesses may move over it.
//
// SPIR-V does not distinguish `for (;;) { if (take(lock)) { …; release(lock); break; } }` from `while (!take(lock)) {}
// …; release(lock);`, nor does it show `done` if an optimizer has turned that into an exit. So for a function without
// the order of the source, the pass also keeps in the loop what lies between a waiting loop and the write of the value
// that the loop waits for, unless lanes exchange values on the way. That is never wrong: a lane may always do early, on
// its own, what it does after a loop.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Runs before the first pass that simplifies the kernel's control flow, when variables are promoted.
class KeepEffectsPass : public RequiredPass<KeepEffectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
