// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Control flow as linearize expects it: only branches and one return, every loop with a preheader, one latch and one
// exit block, every block on a path to the return, values leaving loops through phis.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Marks the copies of values that are carried out of a loop without being defined there; linearize removes them.
inline constexpr const char *kExitValue = "lanecl.exit";

class CanonicalizePass : public llvm::PassInfoMixin<CanonicalizePass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
