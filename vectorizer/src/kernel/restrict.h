// What `restrict` says and what barriers take back.
//
// `restrict` of a parameter speaks of what one work-item does with memory while the function runs. Inlining turns it
// into metadata of single accesses and calls (`alias.scope`, `noalias`), from which LLVM concludes what may be
// exchanged. Behind a barrier a work-item sees what others have written to the same memory, of which `restrict` says
// nothing.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// To be called after inlining: barriers, at which others write, touch all memory.
void forgetRestrictOfBarriers(llvm::Function &function);

// To be called before barriers disappear: accesses that they kept apart are not to be exchanged by what `restrict`
// says. Those of several lanes are one instruction by then, and those of several sub-groups one function.
void forgetRestrict(llvm::Function &function);

} // namespace lanecl::vectorizer
