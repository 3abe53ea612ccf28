// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Assigns addresses in __local memory: the variables of the program come first, local kernel arguments after them. Both
// are offsets from WorkerMemory::local.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// Loads WorkerMemory::local, a pointer into address space 3.
llvm::Value *loadLocalMemory(llvm::IRBuilderBase &builder, llvm::Value *worker);

// Replaces the kernel's __local variables by addresses and adds their size to the kernel's facts.
void placeLocalVariables(llvm::Function &kernel, PassContext &context);

} // namespace lanecl::vectorizer
