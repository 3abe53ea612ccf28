// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `memory-intrinsics`: memcpy, memmove and memset become loads and stores, which have a lane form.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MemoryIntrinsicsPass : public llvm::PassInfoMixin<MemoryIntrinsicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
