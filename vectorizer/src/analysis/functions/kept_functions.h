// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kept functions: functions that stay functions because they are too large to be inlined at every call
// (kernel/import/inlining_plan.h). Each becomes a lanes function of its own, which takes the mask of the lanes that
// call.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanecl::vectorizer {

// Marks a function that is not inlined. It drops the attributes that describe one work-item's call, such as
// memory(none) or noundef: the lanes function is called once for several lanes, and it reads the launch's structs.
void keepFunction(llvm::Function &function);
bool isKept(const llvm::Function &function);
// Returns the function that the instruction calls if that is a kept one, else null.
llvm::Function *keptCallee(const llvm::Value &call);
// Whether the function is kept or calls a kept function. Passes that change which work-items the lanes stand for, such
// as row-loops, leave such a function alone, because its callees would not know of the change.
bool hasKeptCalls(const llvm::Function &function);

// Returns the name of one of the two lanes functions of a kept function, or of a version of it: the one for all lanes,
// or the one with a mask.
std::string lanesName(const llvm::Function &kept, bool masked);
bool isLanesName(llvm::StringRef name);
// Returns what the source calls a version of a kept function or its lanes function.
std::string nameInSource(llvm::StringRef version);

// Keeps the function's symbol, once nothing is optimized any more. The loader drops local symbols, and profilers and
// debuggers would take the code for the function before it.
void keepSymbol(llvm::Function &function);

// Marks a parameter for which each lane passes a value of its own, in one version of a kept function
// (functions/function_versions.h). A parameter without the mark is uniform.
void markVarying(llvm::Argument &parameter);
bool isVarying(const llvm::Argument &parameter);
// Marks a varying parameter for which lane l passes an address of l * stride bytes more than lane 0.
void markStrided(llvm::Argument &parameter, int64_t stride);
// Returns the stride in bytes, or nothing for a parameter without this mark.
std::optional<int64_t> strideOf(const llvm::Argument &parameter);

// Marks a kept function whose result is uniform if all its arguments are.
void markSameResult(llvm::Function &function);
bool hasSameResult(const llvm::Function &function);

// Marks a kept function whose result is { value, shadow } in check mode (check/values/argument_shadows.h). Neither is a
// structure of the program.
void markShadowResult(llvm::Function &function);
bool hasShadowResult(const llvm::Function &function);

} // namespace lanecl::vectorizer
