// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that stay functions: what a kernel calls and is too large to be inlined at every call
// (kernel/import/inlining_plan.h). Each becomes a lanes function of its own, with the mask of the lanes that call it.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace lanecl::vectorizer {

// Marks a function that is not inlined. Drops its attributes that describe one work-item's call, such as memory(none)
// or noundef: its lanes function is called once for several lanes, and reads the launch's structs.
void keepFunction(llvm::Function &function);
bool isKept(const llvm::Function &function);
// The function that the instruction calls, if it is kept; else null.
llvm::Function *keptCallee(const llvm::Value &call);
// Whether the function is kept or calls a kept function. Passes that change which work-items the lanes stand for, such
// as row-loops, leave it alone, because a callee would not know.
bool hasKeptCalls(const llvm::Function &function);

// Marks a parameter for which each lane passes its own value, in one version of a kept function
// (functions/function_versions.h). A parameter without the mark is uniform.
void markVarying(llvm::Argument &parameter);
bool isVarying(const llvm::Argument &parameter);

// Marks a kept function whose result is uniform if all its arguments are.
void markSameResult(llvm::Function &function);
bool hasSameResult(const llvm::Function &function);

} // namespace lanecl::vectorizer
