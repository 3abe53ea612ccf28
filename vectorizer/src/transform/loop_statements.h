// Which iteration an exchange between lanes belongs to.
//
//   for (…) {
//     if (condition) {
//       sum = sub_group_non_uniform_reduce_add(x);
//       break;
//     }
//   }
//
// In the source the call stands in the loop, and lanes that get there in different iterations do not meet. In LLVM IR
// its block cannot get back to the loop's header, so it is no part of the loop: LLVM may let lanes of all iterations
// meet there, and so would linearize. An edge back to the header that is never taken makes the block a part of the
// loop. Its condition, the marker `lanecl.leave`, is unknown to LLVM and goes when linearize has put lanes under masks.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// To be called before the calls of `function` are inlined, while its loops are those of its own source. `exchanges`:
// whether lanes may meet in it. Loop statements are known by the source locations of loops, and by the order of
// blocks where the function has kSourceOrder.
void keepExchangesInLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                          llvm::function_ref<bool(const llvm::Instruction &)> exchanges);

// The edges that are never taken disappear.
void resolveLeaves(llvm::Function &function);

} // namespace lanecl::vectorizer
