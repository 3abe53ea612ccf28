// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives some value to values that nothing has written, the same wherever they are used: a variable that is read before
// it is written, or the missing component of a vector of three. LLVM's undef and poison may differ from use to use, and
// a branch on one of them makes the surrounding code undefined.
//
// - As an operand, in a vector's component, and in a variable that is never written, zero replaces them. A poison
//   component would also make its neighbors undefined where the vector is taken for a wider integer:
//
//     shufflevector <3 x i8> %v, poison, <0, 1, 2, poison>  ->  shufflevector <3 x i8> %v, zero, <0, 1, 2, 3>
//     insertelement <4 x i8> undef, i8 %x, 0                ->  insertelement <4 x i8> zero, i8 %x, 0
//
// - A frozen undef becomes zero, because code generation of LLVM 22 would give each use some register.
// - A store of undef is dropped, so that memory keeps the value that it has.
// - A phi keeps them, because lanes that come from there do not need the value, and the phi is frozen:
//   %v = phi i32 [ undef, %entry ], [ %x, %then ] becomes %v.phi, and %v = freeze i32 %v.phi.
//
// Pointers keep them: a program that follows an uninitialized pointer accesses memory that is not its own.
//
// The pass has to run before an optimization that uses undef, and again after each promotion of variables, which makes
// new undefs. Any value is right for what it replaces.
#pragma once

#include "pass_support/required_pass.h"

#include "llvm/IR/PassManager.h"

namespace lanecl::vectorizer {

enum class Unwritten {
  All, // undef and poison
  // Undef only. SROA makes it of loads of memory that nothing has written. Poison stays, as in unused lanes.
  Memory,
};

class ReplaceUndefPass : public RequiredPass<ReplaceUndefPass> {
public:
  explicit ReplaceUndefPass(Unwritten which = Unwritten::All) : which(which) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  Unwritten which;
};

} // namespace lanecl::vectorizer
