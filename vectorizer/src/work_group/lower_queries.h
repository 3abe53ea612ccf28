// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `lower-queries`: the primitives that remain in lanes functions after widening become parameters, loads from the
// launch structs and calls of the host's services.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LowerQueriesPass : public llvm::PassInfoMixin<LowerQueriesPass> {
public:
  explicit LowerQueriesPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
