// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Turns private arrays of halves that hold results with excess precision into arrays of floats. Part of half-chains.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace lanecl::vectorizer {

// Changes only arrays all of whose accesses are known and are accesses of halves. Returns whether there was one.
bool carryArraysInFloat(llvm::Function &function);

} // namespace lanecl::vectorizer
