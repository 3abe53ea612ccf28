// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Recursion that constant arguments end, as a call of this function with 5 does:
//
//   constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
//
// Each such call gets a copy of the function for its constants, in which the next call has constants of its own.
#pragma once

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace lanecl::frontend {

// Replaces such calls, in what kernels call. `recursive`: the functions that call themselves, directly or by others.
// Returns those of them that had such a call; the kernels may still lead to them, by other calls.
llvm::DenseSet<llvm::Function *> endConstantRecursion(llvm::Module &module,
                                                      const llvm::DenseSet<llvm::Function *> &recursive);

} // namespace lanecl::frontend
