// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Products of 32 bits whose factors fit into 16 are those of one instruction that adds up two of them (pmaddwd), the
// other being zero: it takes half as long as a product of 32 bits. LLVM does so where a factor has one use; in matrix
// products they have many.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ShortProductsPass : public llvm::PassInfoMixin<ShortProductsPass> {
public:
  explicit ShortProductsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
