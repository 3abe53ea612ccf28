// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which roundings to half may be left out.
//
// Programs that are built with -cl-unsafe-math-optimizations or -cl-fast-relaxed-math permit excess precision in the
// results of operators and of functions of halves. Operators say so by their flags. The functions are the built-in
// library's, whose instructions have no flags, so it is noted at the rounding that such a function ends with when a
// relaxed call is inlined. A conversion that the program writes rounds.
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

// An operator or a call whose result may have excess precision.
bool isRelaxed(const llvm::Value &operation);
// A relaxed call of a function of halves that ends with a rounding of its own.
bool endsWithExcess(const llvm::CallBase &call);
// Notes it at a rounding; other values stay as they are.
void permitExcess(llvm::Value &rounding);
// The float that was rounded to this half, when it may be taken instead; else null.
llvm::Value *excessBehind(llvm::Value &half);

} // namespace lanecl::vectorizer
