// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `bit-selects`: on AVX2, a select by one bit of each element shifts that bit to the sign, which blendv tests:
//
//   select (icmp ne (and %v, 4), 0), %a, %b     ──>     blendv(%b, %a, shl %v, 29)
//
// Instruction combining turns such a shift back into an and and a comparison with zero, so this pass runs after it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class BitSelectsPass : public llvm::PassInfoMixin<BitSelectsPass> {
public:
  explicit BitSelectsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
