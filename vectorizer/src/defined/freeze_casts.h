// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `freeze-casts`: an undefined component of a vector leaves the bits of the others as they are when the vector is taken
// for wider elements.
//
//   bitcast <2 x half> %v to i32  ->  bitcast (freeze <2 x half> %v) to i32
//
// In LLVM the i32 is poison when one of the halves is, as an infinity is with -cl-finite-math-only. It runs when
// variables have become values, before anything can be concluded from them.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

class FreezeCastsPass : public llvm::PassInfoMixin<FreezeCastsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace lanecl::vectorizer
