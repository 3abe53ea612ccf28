// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What must be guarded against undefined behaviour, found by evaluation.
#pragma once

#include "evaluate/evaluate.h"

namespace lanecl::fuzz {

// What a launch leaves in memory with sub-groups of that size; 0 where their size does not count.
struct Outcome {
  unsigned launch = 0, width = 0;
  Contents contents{}, unknown{}; // and which bits of it may be anything
};

// Evaluates all launches at every sub-group size that may come. Throws Rejected.
std::vector<Outcome> evaluateLaunches(const Kernel &kernel, Unguarded &unguarded);

// The kernel with a guard wherever `unguarded` says, whose results are the same.
void addGuards(Kernel &kernel, const Unguarded &unguarded);
void removeGuards(Kernel &kernel);

} // namespace lanecl::fuzz
