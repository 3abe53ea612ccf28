// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the loop statements of the source around an exchange between lanes, and around an effect for which other
// work-items may wait. It uses the source locations of loops and, where the function has the attribute kSourceOrder
// (vectorizer/contract/source_order.h), the order of its blocks.
//
// Without either, as in SPIR-V, exchanges get no numbers, because only the program's source says which lanes meet in
// them. Effects do get numbers: a lane may always do early what it does after a loop. So for effects the order of
// blocks is believed, unless lanes exchange values on the way.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Facts that the caller knows about instructions before calls are inlined. Each member is a test of an instruction.
struct SourceFacts {
  using Test = llvm::function_ref<bool(const llvm::Instruction &)>;
  Test exchanges;   // whether lanes exchange values in it
  Test has_effects; // whether other work-items could wait for it
  Test waits;       // whether it could make a loop around it wait
  Test is_marked;   // whether it calls a function whose loops and effects have numbers already
};

// Numbers the loops and exchanges for keep_in_loops.h, and marks the effects in loops that may wait for keep_effects.h.
// Call this before the calls of `function` are inlined, while its loops are those of its own source, as the frontend
// left them.
void numberLoopStatements(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, PassContext &context,
                          const SourceFacts &facts);

} // namespace lanecl::vectorizer
