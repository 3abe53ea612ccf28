// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The members of a structure that a work-item loads or stores one by one become one access of a vector, where the
// lanes' structures lie one behind the other: lanes access these together, by wide accesses and permutes.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// For linearized kernels: an access of a block is one of all lanes that are active there.
class JoinAccessesPass : public llvm::PassInfoMixin<JoinAccessesPass> {
public:
  explicit JoinAccessesPass(const PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  const PassContext &context;
};

} // namespace lanecl::vectorizer
