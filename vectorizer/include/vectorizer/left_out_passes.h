// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanecl::vectorizer {

// Optimizations that do not run, so that one can find the pass that makes wrong code. The code stays right without
// them, only slower. Passes that kernels need are never left out.
struct LeftOutPasses {
  std::vector<std::string> names; // passes that never run: join-accesses, instcombine, ...
  std::optional<int> last_run;    // only this many runs of optional passes take place, each listed; -1: all of them

  bool empty() const { return names.empty() && !last_run; }
};

// Returns whether there is a pass of this name, ours or LLVM's, that kernels do not need.
bool canBeLeftOut(const std::string &pass);

} // namespace lanecl::vectorizer
