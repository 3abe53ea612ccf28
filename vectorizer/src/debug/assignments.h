// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables without memory, as SPIR-V has them that was optimized before we got it: records say which values they are
// assigned, and where.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace lanecl::vectorizer {

using Assignments = llvm::SmallVector<llvm::DbgVariableRecord *, 4>; // of one variable

// Whether the values, as they are, are the variable or parts of it at all times.
bool areComplete(const Assignments &assignments);

// Memory that is written where the variable is assigned.
llvm::AllocaInst *makeMemory(llvm::Function &function, const Assignments &assignments);

} // namespace lanecl::vectorizer
