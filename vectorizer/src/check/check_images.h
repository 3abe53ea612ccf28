// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Reads and writes of images report where their coordinates leave the image; reads with a sampler only if it is one of
// CLK_ADDRESS_NONE, as all other addressing modes say what is there. To be run before the functions are inlined, while
// their names say what they are.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class CheckImagesPass : public llvm::PassInfoMixin<CheckImagesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
