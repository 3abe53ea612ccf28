// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Alias analysis by address space: local memory never overlaps global or constant memory, so a store to one of them
// does not stand in the way of a load from the other. LLVM's own analyses cannot tell, because on x86 all address
// spaces are one memory.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace lanecl::vectorizer {

// The analysis result: answers "no alias" for a local pointer and a global or constant one, and leaves all else to the
// other analyses.
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

// Registers LLVM's default alias analyses, followed by this one. Call it before `builder` registers its function
// analyses: the first registration of an analysis counts.
void registerAliasAnalyses(llvm::FunctionAnalysisManager &functions, llvm::PassBuilder &builder);

} // namespace lanecl::vectorizer
