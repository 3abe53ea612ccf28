// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// On AVX2, a select by one bit of a vector's elements shifts the bit to the sign, which blends test. Instruction
// combining makes an and and a comparison with zero of it.
//
// Runs last, as that would undo it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BitSelectsPass : public llvm::PassInfoMixin<BitSelectsPass> {
public:
  explicit BitSelectsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
