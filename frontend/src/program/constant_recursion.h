// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Ends recursion that constant arguments end, such as factorial(5) of
//
//   constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
//
// Each call with constant arguments gets a copy of the function for these constants. In the copy the next call has
// constant arguments, too, until a copy has no call left: factorial(5) calls the copy for 5, which calls the copy for
// 4, and so on.
#pragma once

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Replaces such calls in all functions that kernels call. `recursive` are the functions that call themselves, directly
// or through others. Returns those of them that had such a call. Kernels may still reach these through other calls.
llvm::DenseSet<llvm::Function *> endConstantRecursion(llvm::Module &module,
                                                      const llvm::DenseSet<llvm::Function *> &recursive);

} // namespace lanecl::frontend
