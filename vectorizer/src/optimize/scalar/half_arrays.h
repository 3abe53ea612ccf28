// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Private arrays of halves that hold results with excess precision are arrays of floats. Part of half-chains.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace lanecl::vectorizer {

// Only arrays whose every access is seen, and is one of halves. Returns whether there was one.
bool carryArraysInFloat(llvm::Function &function);

} // namespace lanecl::vectorizer
