// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Drops what `restrict` promises where barriers or loops make it wrong.
//
// `restrict` of a parameter describes the accesses of one work-item while the function runs. Inlining turns it into
// metadata of accesses and calls (`alias.scope`, `noalias`), from which LLVM concludes which may be reordered. Behind a
// barrier a work-item sees what others have written to the same memory, which `restrict` does not cover.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// To be called after the function's calls have been inlined: what was called in a loop promises that the accesses of
// one call do not overlap, but those of two turns may, which LLVM forgets when it moves an access out of the loop.
void forgetRestrictOfTurns(llvm::Function &function);

// To be called after inlining: barriers, at which other work-items write, then access all memory.
void forgetRestrictOfBarriers(llvm::Function &function);

// To be called before barriers are removed: accesses that they kept in order must not be reordered because of
// `restrict`. By then accesses of several lanes are one instruction, and those of several sub-groups are in one
// function. Without barriers it keeps what all sub-groups load alike from leaving the loop over them, for which there
// are not enough registers.
void forgetRestrict(llvm::Function &function);

} // namespace lanecl::vectorizer
