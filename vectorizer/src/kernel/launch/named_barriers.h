// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The memory of named barriers: local variables, one for each call of __lanecl_named_barrier_memory() that is left when
// all is inlined. A call in a loop makes a new barrier in each turn, while the program may still have earlier ones, so
// it has several places, which take turns.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class NamedBarriersPass : public llvm::PassInfoMixin<NamedBarriersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
