// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keeps effects in loops that wait, so that no lane waits for one that has left the loop.
//
//   while (!done) {
//     if (atomic_cmpxchg(lock, 0, 1) == 0) {
//       *sum += x;
//       atomic_xchg(lock, 0);
//       done = true;
//     }
//   }
//
// In the source the release is inside the loop. LLVM makes `done` an exit, so that the release stands behind the loop,
// where the sub-group meets again: the lane that holds the lock would wait for those that want it.
//
// Which loops wait is known only when calls are inlined and variables are values. Until then all effects of the source
// are kept in loops that may wait: before calls are inlined (loop_statements.h), the marker `lanecl.effects` is put
// behind the last effect of each block that stands in such a loop. It names the loops, and keep_in_loops.h treats it as
// an exchange. This pass decides: markers stay for loops that wait, for those that give up waiting after some turns,
// and for loops around them. What happens in each turn needs the marker only to remain one block, which LLVM would copy
// to an exit and to the next turn; other accesses may move over this marker.
//
// SPIR-V does not tell `for (;;) { if (take(lock)) { …; release(lock); break; } }` from `while (!take(lock)) {} …;
// release(lock);`, nor does it say `done` when an optimizer has made it an exit. So there, what is between a loop that
// waits and the write of what it has waited for stays in the loop, too, if lanes exchange nothing on the way: a lane
// may always do alone, and early, what it does behind a loop.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Before the first pass that simplifies the kernel's control flow, when variables are values.
class KeepEffectsPass : public llvm::PassInfoMixin<KeepEffectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
