// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Adds up the stack slots of spilled registers. The pass runs last in code generation, when all slots are known.
#pragma once

#include "llvm/Pass.h"

#include <cstdint>

namespace lanecl::vectorizer {

// The sizes in bytes, each of the function that has the most.
struct SpillSlots {
  uint64_t all = 0;
  uint64_t vectors = 0; // the part of slots for vectors
};

// Creates the pass. It does not count the slots in which a function saves its caller's registers.
llvm::Pass *createSpillSlotsPass(SpillSlots &slots);

} // namespace lanecl::vectorizer
