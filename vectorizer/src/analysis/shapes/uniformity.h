// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Finds values that are the same in all active lanes: LLVM's uniformity analysis with the lanes of a sub-group as its
// target (lane_target.h).
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

// Whether the value is the same in all active lanes of its block. A value may be uniform inside a divergent loop but
// not after it, where lanes have left in different iterations. In LCSSA form only the phis of the loop's exits have
// such uses, and they count as divergent.
inline bool isUniform(const llvm::UniformityInfo &uniformity, const llvm::Value &value) {
  return uniformity.isUniform(&value);
}

// Prints each instruction as divergent or uniform, one per line, for IR tests.
class UniformityPrinterPass : public RequiredPass<UniformityPrinterPass> {
public:
  explicit UniformityPrinterPass(llvm::raw_ostream &out) : out(out) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);

private:
  llvm::raw_ostream &out;
};

} // namespace lanecl::vectorizer
