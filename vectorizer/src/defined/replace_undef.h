// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Values that nothing wrote become some value, the same wherever it is used: a variable that is read before it is
// written, a component that a vector of three has not. LLVM's undef and poison differ from use to use, and a branch on
// one of them makes the code around undefined.
//
// - Zero takes their place as an operand, in a vector's component, and in a variable that is never written. LLVM's
//   poison in one component would make its neighbours undefined, too, where a vector is taken for a wider integer:
//
//     shufflevector <3 x i8> %v, poison, <0, 1, 2, poison>  ->  shufflevector <3 x i8> %v, zero, <0, 1, 2, 3>
//     insertelement <4 x i8> undef, i8 %x, 0                ->  insertelement <4 x i8> zero, i8 %x, 0
//
// - Zero takes the place of a frozen undef: LLVM 22's code generation would give each use some register.
// - A store of undef is dropped, so that memory keeps the value that it has.
// - A phi keeps them, because lanes that come from there do not need the value, and is frozen:
//   %v = phi i32 [ undef, %entry ], [ %x, %then ] becomes %v.phi, and %v = freeze i32 %v.phi.
//
// Pointers keep them: whoever follows a pointer that nobody wrote accesses memory that is not the program's.
#pragma once

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

enum class Unwritten {
  All,    // undef and poison
  Memory, // undef only: what SROA makes of loads of memory that nothing wrote; poison stays, as in unused lanes
};

class ReplaceUndefPass : public llvm::PassInfoMixin<ReplaceUndefPass> {
public:
  explicit ReplaceUndefPass(Unwritten which = Unwritten::All) : which(which) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  static bool isRequired() { return true; }

private:
  Unwritten which;
};

} // namespace lanecl::vectorizer
