// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which values are the same in all active lanes: LLVM's uniformity analysis, with the lanes as its target.
#pragma once

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// A value used outside the divergent loop that defines it differs between the lanes that left the loop in different
// iterations, although it is uniform inside; in LCSSA form only phis of the loop's exits have such uses.
inline bool isUniform(const llvm::UniformityInfo &uniformity, const llvm::Value &value) {
  return uniformity.isUniform(&value);
}

// Prints each argument, instruction and branch with its classification, one per line, for tests.
class UniformityPrinterPass : public llvm::PassInfoMixin<UniformityPrinterPass> {
public:
  explicit UniformityPrinterPass(llvm::raw_ostream &out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &out;
};

} // namespace lanecl::vectorizer
