// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a sub-group waits for while it is suspended, in kernels with yields: two words of its scratch slot. At a barrier
// it waits for all others; where it has yielded it goes on when its turn comes.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

struct SubGroupState {
  enum Waits : uint64_t {
    kReady = 0,       // for nothing: it is running, or has not begun
    kAtBarrier = 1,   //
    kAtPartner = 2,   // at a partner barrier
    kYielded = 3,     // for the first time since it came to this loop
    kYieldedMore = 4, // for another turn of the same loop
  };
  uint64_t waits, place; // offsets in the slot: of an i64, and of a pointer to text that names the loop
};

// For `barriers`: whether a lanes function yields.
bool yields(const llvm::Function &lanes);
// Gives a lanes function its two words; the suspensions in it set them.
void noteSuspensions(llvm::Function &lanes);

// For `work-group`: none without yields.
std::optional<SubGroupState> subGroupState(const llvm::Function &lanes);

} // namespace lanecl::vectorizer
