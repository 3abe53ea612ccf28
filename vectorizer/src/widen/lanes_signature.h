// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The lanes functions of a kept function: f.all, which all W lanes call, and f.masked, which gets the lanes that do.
//
//   T f(launch…, a, b)  ->  T' f.masked(launch…, iW mask, a', b')
//
// A uniform parameter is passed as it is, a varying one as one <W x T> for each scalar it is made of ("component"). The
// result of a function in which lanes cannot differ is a scalar, any other one a structure of its components' vectors,
// or the vector if there is one.
#pragma once

#include "llvm/IR/Function.h"

#include <string>

namespace lanecl::vectorizer {

std::string lanesName(const llvm::Function &kept, bool masked);

// Whether the version returns one value for all lanes.
bool returnsScalar(const llvm::Function &kept);

// Declares it where it is not known.
llvm::Function &lanesFunction(llvm::Function &kept, bool masked, unsigned width);

} // namespace lanecl::vectorizer
