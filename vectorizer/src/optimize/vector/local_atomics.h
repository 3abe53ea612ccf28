// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `local-atomics`: atomic updates of __local memory become loads and stores:
//
//   %old = atomicrmw add ptr addrspace(3) %p, i32 1     ──>     %old = load %p, store %old + 1, %p
//
// One thread runs all work-items of a work-group, and nothing else accesses the group's __local memory.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class LocalAtomicsPass : public llvm::PassInfoMixin<LocalAtomicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
