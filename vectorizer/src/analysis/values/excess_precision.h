// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Decides which roundings from float to half may be left out.
//
// Programs that are built with -cl-unsafe-math-optimizations or -cl-fast-relaxed-math permit excess precision in the
// results of half operators and of functions of halves. An operator says so by its fast-math flags. A function comes
// from the built-in library, whose instructions have no such flags. So when a relaxed call is inlined, the rounding
// that ends the function is marked (`!lanecl.excess`). A conversion to half that the program itself writes is never
// marked: it rounds.
#pragma once

#include "llvm/IR/Type.h"

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace lanecl::vectorizer {

// A half or a vector of halves.
inline bool isHalf(const llvm::Type *type) {
  return type->getScalarType()->isHalfTy();
}

// Whether the result of this operator or call may have excess precision: its flags allow reassociation and contraction.
bool isRelaxed(const llvm::Value &operation);
// Whether the call is a relaxed call of a function on halves that ends with a rounding from float to half.
bool endsWithExcess(const llvm::CallBase &call);
// Marks a rounding as one that may be left out. Values other than an `fptrunc` stay as they are.
void permitExcess(llvm::Value &rounding);
// Returns the float from which a marked rounding made this half, or null if the half has to be taken as it is.
llvm::Value *excessBehind(llvm::Value &half);

} // namespace lanecl::vectorizer
