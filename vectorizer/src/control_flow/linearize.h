// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns divergent branches into masks:
//
//   br %c, %then, %join        ->        call @lanecl.block.mask(%c)
//   then: %a = …                         %a = …
//   join: %x = phi %a, %b                %x = select %c, %a, %b
//
// Afterwards every branch is uniform. A block that runs for fewer lanes than the function was entered with has a marker
// (analysis/functions/markers.h), and values merge by `select` on a mask.
//
// The pass expects canonicalized control flow (canonicalize.h). A block that costs more than a test runs only if at
// least one lane is active there, so uniform values in it are well defined. Other blocks run without such a test only
// if they cannot trap and access no memory.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LinearizePass : public RequiredPass<LinearizePass> {
public:
  explicit LinearizePass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
