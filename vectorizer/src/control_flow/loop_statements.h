// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the loop statements of the source that contain an exchange between lanes, or an effect that other work-items
// may wait for: by the source locations of loops, and by the order of blocks where the function has kSourceOrder.
//
// Without either, as in SPIR-V, exchanges are not numbered: only the program's source says which lanes meet in them. An
// effect is. A lane may always do early what it does behind a loop, so there the order of blocks is believed, unless
// lanes exchange values on the way.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// What is known of instructions before calls are inlined.
struct SourceFacts {
  using Test = llvm::function_ref<bool(const llvm::Instruction &)>;
  Test exchanges;   // whether lanes exchange values in it
  Test has_effects; // whether other work-items could wait for it
  Test waits;       // whether it could make a loop around it wait
  Test is_marked;   // whether it is a call of a function with loops and effects that have numbers already
};

// Numbers the loops and exchanges for keep_in_loops.h, and marks the effects in loops that may wait for
// keep_effects.h. To be called before the calls of `function` are inlined, while its loops are those of its own source,
// as the frontend left them.
void numberLoopStatements(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, PassContext &context,
                          const SourceFacts &facts);

} // namespace lanecl::vectorizer
