// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that stay functions: what a kernel calls and is too large to be inlined at every call
// (kernel/import/inlining_plan.h). Each becomes a lanes function of its own, with the mask of the lanes that call it.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace lanecl::vectorizer {

// Marks a function that is not inlined. What is promised of one work-item's call is forgotten: a lanes function is
// called for some lanes together, and reads what the launch says.
void keepFunction(llvm::Function &function);
bool isKept(const llvm::Function &function);
// The function that the instruction calls, if it is kept; else null.
llvm::Function *keptCallee(const llvm::Value &call);
// Whether the function is kept or calls one that is: then its lanes are those of several functions.
bool hasKeptCalls(const llvm::Function &function);

// Of one version of a kept function (functions/function_versions.h): the lanes have values of their own for this
// parameter. Without the mark they have the same one.
void markVarying(llvm::Argument &parameter);
bool isVarying(const llvm::Argument &parameter);

// Of a kept function: lanes that pass the same arguments get the same result.
void markSameResult(llvm::Function &function);
bool hasSameResult(const llvm::Function &function);

} // namespace lanecl::vectorizer
