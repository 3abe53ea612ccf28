// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Drops promises of `restrict` where barriers or loops make them wrong.
//
// `restrict` on a parameter describes the accesses of one work-item while the function runs. Inlining turns it into
// metadata of accesses and calls (`alias.scope`, `noalias`), from which LLVM concludes which of them may be reordered.
// After a barrier, however, a work-item sees what other work-items have written to the same memory, and `restrict` does
// not cover their accesses.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// Drops scopes that were declared in a loop; to be called after the function's calls have been inlined. The scope of a
// function called in a loop promises that the accesses of one call do not overlap. Those of two turns may overlap,
// which LLVM forgets when it moves an access out of the loop.
void forgetRestrictOfTurns(llvm::Function &function);

// Makes barriers access all memory, because other work-items write there; to be called after inlining.
void forgetRestrictOfBarriers(llvm::Function &function);

// Drops all scopes; to be called before barriers are removed. Accesses that the barriers kept in order must not be
// reordered because of `restrict`: by then the accesses of several lanes are one instruction, and those of several
// sub-groups are in one function. In kernels without barriers this also keeps values that all sub-groups load alike
// inside the loop over the sub-groups, as there are not enough registers to keep them outside.
void forgetRestrict(llvm::Function &function);

} // namespace lanecl::vectorizer
