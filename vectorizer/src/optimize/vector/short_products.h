// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `short-products`: 32-bit products whose factors fit into 16 bits are computed by pmaddwd, which takes half as long as
// a 32-bit product. pmaddwd multiplies the lower and the upper halves of each dword as shorts and adds both products;
// the upper half of one factor is zero here:
//
//   mul <8 x i32> %x, %y     ──>     pmaddwd(%x & 0xffff, %y)
//
// LLVM does so if a factor has one use. In products of matrices factors have many uses, so the mask is computed once
// for all of them.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class ShortProductsPass : public llvm::PassInfoMixin<ShortProductsPass> {
public:
  explicit ShortProductsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
