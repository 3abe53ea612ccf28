// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that walk through memory in long steps, while neighbouring sub-groups walk beside them.
//
//   for (i = first; i < limit; i += step) …
//
// One sub-group after the other would go through the whole memory, each time for a few cache lines, which neither
// prefetchers nor pages like. The same turns, as one sub-group takes them for `count` of them:
//
//   while (all of them: i < limit) {
//     for (s = 0; s < count; ++s)
//       … for i + s * W
//     i += step;
//   }
//   for (s = 0; s < count; ++s)
//     for (k = i + s * W; k < limit; k += step) …
#pragma once

#include "kernel/rows/linear_forms.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// guard ─┬─> preheader ─> loop (rotated) ─> exit ─┬─> end
//        └────────────────────────────────────────┘
// No value of the loop is used behind it, and none but the number is carried from turn to turn. What it does may be
// done in another order, apart from each work-item's own.
struct StridedLoop {
  llvm::Loop *loop;
  llvm::BranchInst *guard;
  llvm::BasicBlock *end;
  llvm::PHINode *number; // i
  llvm::Value *first, *step, *limit;
  llvm::CmpInst::Predicate goes_on; // number predicate limit
};

// Nothing if it is no such loop. Of an innermost loop in the form that LoopSimplify gives.
std::optional<StridedLoop> asStridedLoop(llvm::Loop &loop);

// Whether the number is all that the loop uses of what sub-groups do not share.
bool sharesAllButNumber(const StridedLoop &strided, LinearForms &forms);

// Whether it has an effect that others can see. Where a `restrict` parameter begins says nothing about order.
bool hasSideEffects(const llvm::Instruction &instruction);

// A relaxed atomic update whose result nobody reads: those of different work-items may come in any order. OpenCL's
// functions take volatile pointers, so that says nothing.
bool isFreeUpdate(const llvm::Instruction &instruction);

// Emits the loops above in the place of the guard and the loop. The sub-group that runs them has the first numbers; the
// s-th one's are s times `width` larger. `count` and `lane` have the number's type.
void takeTogether(const StridedLoop &strided, unsigned width, llvm::Value *count, llvm::Value *lane);

// Whether it is the loop that takes what is left: seldom more than a turn.
bool hasFewTurns(const llvm::Loop &loop);

} // namespace lanecl::vectorizer
