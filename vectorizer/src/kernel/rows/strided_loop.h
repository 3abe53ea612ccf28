// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops that walk through memory in long steps, while neighboring sub-groups walk beside them. They are rewritten so
// that the sub-groups take each step together:
//
//   for (i = first; i < limit; i += step) …
//
// If one sub-group after the other ran the loop, each of them would walk through the whole memory for a few cache lines
// here and there, which neither prefetchers nor the TLB handle well. The same turns, taken by one sub-group for `count`
// sub-groups of W lanes each:
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

// A loop that can be rewritten so, with the blocks around it:
//
//   guard ─┬─> preheader ─> loop (rotated) ─> exit ─┬─> end
//          └────────────────────────────────────────┘
//
// No value of the loop is used after it, and only the number i is carried from turn to turn. The turns of different
// work-items may run in any order; those of each work-item keep their order.
struct StridedLoop {
  llvm::Loop *loop;
  llvm::BranchInst *guard;
  llvm::BasicBlock *end;
  llvm::PHINode *number; // i
  llvm::Value *first, *step, *limit;
  llvm::CmpInst::Predicate goes_on; // the loop goes on while: number predicate limit
};

// Returns nothing if the loop is not of this form. It must be in the form that LoopSimplify produces.
std::optional<StridedLoop> asStridedLoop(llvm::Loop &loop);

// Returns whether the loop uses nothing but the number i that differs between the sub-groups.
bool sharesAllButNumber(const StridedLoop &strided, LinearForms &forms);

// Returns whether the instruction has an effect that others can see. The marker where the scope of a `restrict`
// parameter starts does not count.
bool hasSideEffects(const llvm::Instruction &instruction);

// Returns whether the instruction is a relaxed atomic update whose result is unused. Such updates of different
// work-items may run in any order. `volatile` is ignored, because all atomic functions of OpenCL take volatile
// pointers.
bool isFreeUpdate(const llvm::Instruction &instruction);

// Emits the loops above in place of the guard and the loop. The sub-group that runs them has the first numbers; those
// of sub-group s are s * `width` larger. `count` and `lane` have the number's type.
void takeTogether(const StridedLoop &strided, unsigned width, llvm::Value *count, llvm::Value *lane);

// Returns whether takeTogether emitted this loop for the turns that are left, which is seldom more than one.
bool hasFewTurns(const llvm::Loop &loop);

} // namespace lanecl::vectorizer
