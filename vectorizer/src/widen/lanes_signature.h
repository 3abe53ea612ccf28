// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lanes functions of a kept function: f.all, which is called if all W lanes are active, and f.masked, which gets
// the mask of the active lanes. Of a large function with both kinds of calls there may be the masked one only.
//
//   T f(launch…, a, b)  ->  T' f.masked(launch…, iW mask, a', b')
//
// A uniform parameter is passed as it is, and of a strided one lane 0's address. A varying one is passed as one <W x T>
// for each scalar of which it consists (a "component"). If lanes cannot differ in the result, the result is one scalar.
// Otherwise it is a structure of the vectors of its components, or a single vector if there is only one.
#pragma once

#include "llvm/IR/Function.h"

namespace lanecl::vectorizer {

// Whether this version of the function returns one value for all lanes.
bool returnsScalar(const llvm::Function &kept);

// Returns the lanes function, which is declared at first use.
llvm::Function &lanesFunction(llvm::Function &kept, bool masked, unsigned width);

} // namespace lanecl::vectorizer
