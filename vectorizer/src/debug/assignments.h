// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Source variables without memory, as optimized SPIR-V modules have them. Records of debug information say which values
// they are assigned, and where.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

using Assignments = llvm::SmallVector<llvm::DbgVariableRecord *, 4>; // the records of one variable

// Whether the values of the records are the variable, or parts of it, wherever it is assigned.
bool areComplete(const Assignments &assignments);

// Creates memory for the variable, and stores to it wherever the variable is assigned.
llvm::AllocaInst *makeMemory(llvm::Function &function, const Assignments &assignments);

} // namespace lanecl::vectorizer
