// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `place-reports`: gives reports their sites, with source locations, and removes the marks of check-objects. Kept
// functions get a parameter that says how they were called, so that their reports name the calls that led there:
//
//   f(x)     ──>     f(x, call), where an abi::CheckCall is on the stack of the function that calls f
//
// Runs after the other checking passes and after inlining, because a site names the functions that its code was inlined
// into.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class PlaceReportsPass : public RequiredPass<PlaceReportsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
};

} // namespace lanecl::vectorizer
