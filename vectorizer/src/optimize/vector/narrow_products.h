// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `narrow-products`: products of vectors of 64-bit integers are computed in 32 bits if both factors fit into 16:
//
//   mul <8 x i64> (sext <8 x i16> %x), (sext <8 x i16> %y)     ──>     sext (mul <8 x i32> %x', %y') to <8 x i64>
//
// This is faster, and it works around a defect of LLVM 22's x86 code generator. The code generator takes a product of
// such factors that is shifted right by 16 bits or more, and truncated to 16 bits, for the upper half of a product of
// shorts. For shifts by 32 bits or more, which only a wider product allows, its result is undefined. Divisions by
// powers of two become such shifts. The defect is covered by "upper parts of products" in
// tests/kernels/code_generation.cpp.
//
// Runs after all passes that could widen the product again.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class NarrowProductsPass : public RequiredPass<NarrowProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
