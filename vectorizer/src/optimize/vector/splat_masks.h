// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The 32 bits of a mask register in all lanes, as a ballot gives them. LLVM sees the mask behind the number, and makes
// 64 bits of two copies of it first: one more instruction for the port of mask registers and permutes. Behind an
// instruction that it does not look through, the number is copied to all lanes as it is. Where the lanes are in two
// mask registers, the bits are joined in general registers, which is quicker.
//
// Runs after all passes that know what this instruction does.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplatMasksPass : public llvm::PassInfoMixin<SplatMasksPass> {
public:
  explicit SplatMasksPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
