// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The state of a suspended sub-group in kernels with yields: two words of its scratch slot say why and where it waits.
// At a barrier it waits for all other sub-groups; after a yield it goes on when its turn comes.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace lanecl::vectorizer {

// Where the two words are in a sub-group's slot, and the values of the first one.
struct SubGroupState {
  enum Waits : uint64_t {
    kReady = 0,       // waits for nothing: it is running, or has not started
    kAtBarrier = 1,   // waits at a work-group barrier
    kAtPartner = 2,   // waits at a partner barrier
    kYielded = 3,     // has yielded for the first time since it came to this loop
    kYieldedMore = 4, // has yielded again in the same loop
  };
  uint64_t waits, place; // offsets in the slot: of an i64, and of a pointer to text that names the loop
};

// For `barriers`: returns whether a lanes function yields.
bool yields(const llvm::Function &lanes);
// Gives a lanes function its two words and sets them before each suspension in it.
void noteSuspensions(llvm::Function &lanes);

// For `work-group`: returns where the two words are, or nothing for a function without yields.
std::optional<SubGroupState> subGroupState(const llvm::Function &lanes);

} // namespace lanecl::vectorizer
