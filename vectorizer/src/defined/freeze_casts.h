// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The pass `freeze-casts`: freezes a vector before it is reinterpreted as wider elements. An undefined component then
// leaves the bits of the others as they are.
//
//   bitcast <2 x half> %v to i32  ->  bitcast (freeze <2 x half> %v) to i32
//
// In LLVM the i32 is poison if one of the halves is, and with -cl-finite-math-only an infinity is poison. The pass runs
// when variables have been promoted, before an optimization can conclude anything from the poison. A freeze changes no
// defined value.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FreezeCastsPass : public RequiredPass<FreezeCastsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

} // namespace lanecl::vectorizer
