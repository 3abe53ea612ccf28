// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives a result for every operand to operations whose result OpenCL leaves open and LLVM makes poison. A poison value
// may differ from use to use, and it makes the code that depends on it undefined. After this pass it is some value, the
// same wherever it is used:
//
//   %i = fptosi float %x to i32          ->   %c = fptosi float %x to i32
//                                             %i = freeze i32 %c
//   %e = extractelement <4 x T> %v, %k   ->   %w = and i32 %k, 3
//                                             %e = extractelement <4 x T> %v, %w
//
// - A number that does not fit into an integer type is converted as the processor's instruction does it: its result is
//   frozen before an optimization can see that it is poison. Constants are converted as on GPUs, to the nearest integer
//   of the type, and NaN to 0.
// - The index of a vector's component is kept within the vector.
// - The number of leading or trailing zeros of 0 is defined, and so is the absolute value of the smallest integer.
//
// The pass has to run before any optimization that could use the poison.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class DefinedResultsPass : public RequiredPass<DefinedResultsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lanecl::vectorizer
