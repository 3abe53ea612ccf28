// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// On AVX2, the bits of a mask that fills several registers come from each of them and are joined in a general register,
// where only the signs of its elements count. LLVM packs the registers into one first.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class MaskBitsPass : public llvm::PassInfoMixin<MaskBitsPass> {
public:
  explicit MaskBitsPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
