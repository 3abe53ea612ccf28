// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds by evaluation where a kernel must be guarded against undefined behavior.
#pragma once

#include "evaluate/evaluate.h"

namespace lanecl::fuzz {

// What one launch leaves in memory with sub-groups of `width` work-items; width 0 if the result does not depend on
// their size.
struct Outcome {
  unsigned launch = 0, width = 0;
  Contents contents{}, unknown{}; // `unknown` says which bits may have any value
};

// Evaluates all launches at every sub-group size that is possible. Throws Rejected.
std::vector<Outcome> evaluateLaunches(const Kernel &kernel, Unguarded &unguarded);

// Adds a guard wherever `unguarded` says so. The kernel's results stay the same.
void addGuards(Kernel &kernel, const Unguarded &unguarded);
void removeGuards(Kernel &kernel);

} // namespace lanecl::fuzz
