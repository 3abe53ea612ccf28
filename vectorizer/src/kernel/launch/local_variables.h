// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where __local memory lies: variables of the program first, local kernel arguments behind them, both as offsets from
// WorkerMemory::local.
#pragma once

#include "pass_support/pass_context.h"

#include "llvm/IR/IRBuilder.h"

namespace lanecl::vectorizer {

// WorkerMemory::local, a pointer into address space 3.
llvm::Value *loadLocalMemory(llvm::IRBuilderBase &builder, llvm::Value *worker);

// Replaces the kernel's __local variables, used by nothing else once everything is inlined.
void placeLocalVariables(llvm::Function &kernel, PassContext &context);

} // namespace lanecl::vectorizer
