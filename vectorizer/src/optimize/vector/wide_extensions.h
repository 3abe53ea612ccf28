// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `wide-extensions`: halves that are taken out of a vector and extended to float one by one are extended together:
//
//   %a = fpext half (extractelement %v, 0)              %w = fpext <16 x half> %v
//   %b = fpext half (extractelement %v, 1)     ──>      %a = extractelement %w, 0
//                                                       %b = extractelement %w, 1
//
// A sub-group that broadcasts its lanes one after the other has one conversion for each of them. The extension is
// exact, so the results are the same.
//
// Runs after all passes that could divide the extension again.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class WideExtensionsPass : public llvm::PassInfoMixin<WideExtensionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
