// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Program scope variables: all kernels of a program and all code compiled for them share one block of memory,
// abi::LaunchInfo::variables, in which the frontend gave each variable its place.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace lanecl::vectorizer {

bool isInProgramMemory(const llvm::GlobalVariable &variable);

// Replaces their uses in the kernel, which has its final parameters already.
void placeProgramVariables(llvm::Function &kernel, const PassContext &context);

} // namespace lanecl::vectorizer
