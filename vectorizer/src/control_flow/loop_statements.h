// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds the loop statements of the source that contain an exchange between lanes, by the source locations of loops, and
// by the order of blocks where the function has kSourceOrder.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Numbers the loops and exchanges for keep_in_loops.h. To be called before the calls of `function` are inlined, while
// its loops are those of its own source, as the frontend left them. `exchanges`: whether lanes exchange values in a
// call.
void numberLoopStatements(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, PassContext &context,
                          llvm::function_ref<bool(const llvm::Instruction &)> exchanges);

} // namespace lanecl::vectorizer
