// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `known-lanes`: masked accesses whose mask is a constant with one run of lanes become plain accesses of these lanes'
// elements. Work-groups of four work-items have such masks:
//
//   masked.store(<8 x i32> %v, ptr %p, <1, 1, 1, 1, 0, 0, 0, 0>)     ──>     store <4 x i32> (low half of %v), ptr %p
//
// A plain load is forwarded what a plain store before it wrote, without waiting for the cache; a masked load waits some
// ten cycles. The pass also works around a defect of LLVM 22 for AVX-512: if the stored vector is a truncation and one
// lane is active, the code generator stores the wider element instead, which overwrites the memory after it.
//
// Runs after all passes that could make a mask constant.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KnownLanesPass : public RequiredPass<KnownLanesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
