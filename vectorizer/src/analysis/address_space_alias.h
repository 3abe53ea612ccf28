// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Local memory is not global or constant memory, so accesses of the one do not stand in the way of the other. LLVM's
// own analyses do not know: on this processor address spaces are all the same memory.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace lanecl::vectorizer {

class AddressSpaceAliases : public llvm::AAResultBase {
public:
  llvm::AliasResult alias(const llvm::MemoryLocation &a, const llvm::MemoryLocation &b, llvm::AAQueryInfo &query,
                          const llvm::Instruction *context);
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &, llvm::FunctionAnalysisManager::Invalidator &) {
    return false; // it has no state
  }
};

class AddressSpaceAliasAnalysis : public llvm::AnalysisInfoMixin<AddressSpaceAliasAnalysis> {
public:
  using Result = AddressSpaceAliases;
  Result run(llvm::Function &, llvm::FunctionAnalysisManager &) { return Result(); }

private:
  friend llvm::AnalysisInfoMixin<AddressSpaceAliasAnalysis>;
  static llvm::AnalysisKey Key;
};

// Beside LLVM's alias analyses; before these are registered.
void registerAliasAnalyses(llvm::FunctionAnalysisManager &functions, llvm::PassBuilder &builder);

} // namespace lanecl::vectorizer
