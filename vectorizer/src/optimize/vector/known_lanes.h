// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Masked accesses of neighbouring lanes that are known, as of a work-group of four work-items, become plain accesses of
// these lanes' elements.
//
// A plain load gets what a plain store before it wrote without waiting for the cache, a masked one does not: it waits
// some ten cycles. And it works around a defect: for AVX-512, when the stored vector is a truncation and one lane is
// active, LLVM 22 stores the wider element instead, which overwrites the memory behind it.
//
// Runs after all passes that could make a mask constant.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class KnownLanesPass : public llvm::PassInfoMixin<KnownLanesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
