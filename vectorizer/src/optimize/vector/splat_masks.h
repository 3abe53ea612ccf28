// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `splat-masks`: the 32 bits of a mask register, as a ballot returns them, are copied to all lanes by one copy.
//
//   splat(bitcast <32 x i1> %m to i32)     ──>     splat(bzhi(bitcast <32 x i1> %m to i32, 32))
//
// LLVM sees the mask behind the number, and joins two copies of it to 64 bits first, which is one more instruction for
// the execution port of mask registers and permutes. It does not look through bzhi, which keeps all 32 bits here. Where
// the lanes are in two mask registers, the bits are joined in general registers instead, which is faster.
//
// Runs after all passes that know what bzhi does.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class SplatMasksPass : public llvm::PassInfoMixin<SplatMasksPass> {
public:
  explicit SplatMasksPass(PassContext &context) : context(context) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  PassContext &context;
};

} // namespace lanecl::vectorizer
