// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations that have a result for every operand, where OpenCL leaves open which one and LLVM's is poison. A poison
// value differs from use to use and makes the code that depends on it undefined; these become some value, the same
// wherever it is used:
//
// - A number that an integer type has no room for is converted to what the processor's instruction gives: the result is
//   frozen before an optimization can see that it is poison. Constants are converted as on GPUs, to the nearest integer
//   of the type, NaN to 0.
// - The index of a vector's component is kept within the vector.
// - Counting the zeros of 0, and the magnitude of the smallest integer, are defined.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DefinedResultsPass : public llvm::PassInfoMixin<DefinedResultsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
