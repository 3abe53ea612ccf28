// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program scope variables. All kernels of a program, and all code compiled for them, share one block of memory,
// abi::LaunchInfo::variables. The frontend has assigned each variable an offset in it.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace lanecl::vectorizer {

// Returns whether the variable has an offset in the program's memory.
bool isInProgramMemory(const llvm::GlobalVariable &variable);

// Replaces the uses of these variables in the kernel, which must have its final parameters already.
void placeProgramVariables(llvm::Function &kernel, const PassContext &context);

} // namespace lanecl::vectorizer
