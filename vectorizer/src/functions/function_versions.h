// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Makes the versions of kept functions that are called. There is one version for each set of parameters for which lanes
// pass values of their own:
//
//   call f(%varying, 8)     ->     call f.vu(%varying, 8)      in which a loop to 8 needs no mask
//   call f(%x, %varying)    ->     call f.vv(%x, %varying)     if %x varies, too
//
//   call f(%variable, 8)   ->     call f.s4u(%variable, 8)    if %variable is a private int: the int of the next lane
//   is
//                                                             4 bytes further, so accesses are those of a vector
//
// A function gets at most kMostVersions such versions. Beyond that, a call takes the version in which all parameters
// vary, which is right for every call. Any other parameter that may point to private memory counts as varying, because
// its address differs between lanes even if LLVM takes it for uniform. The pass assumes that there is no recursion.
#pragma once

#include "pass_support/pass_context.h"
#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FunctionVersionsPass : public RequiredPass<FunctionVersionsPass> {
public:
  explicit FunctionVersionsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
